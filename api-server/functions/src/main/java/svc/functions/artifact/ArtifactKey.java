package svc.functions.artifact;

import java.util.UUID;

/** Where an archive lies in the bucket. Begins with the project, and holds no text of a user. */
record ArtifactKey(UUID projectId, ContentHash hash) {
    String text() {
        return prefix(projectId) + hash.hex();
    }

    /** What the keys of all archives of a project begin with. */
    static String prefix(UUID projectId) {
        return projectId + "/functions/";
    }
}
