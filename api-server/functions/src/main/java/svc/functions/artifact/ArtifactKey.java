package svc.functions.artifact;

import java.util.UUID;

/** The object key of an archive. Begins with the project id and contains no user text. */
record ArtifactKey(UUID projectId, ContentHash hash) {
    String text() {
        return prefix(projectId) + hash.hex();
    }

    /** The common prefix of all archives of a project. */
    static String prefix(UUID projectId) {
        return projectId + "/functions/";
    }
}
