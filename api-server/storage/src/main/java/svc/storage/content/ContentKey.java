package svc.storage.content;

import java.util.Optional;
import java.util.UUID;

/**
 * Where the bytes of one version of a file are. Begins with the project's id and holds no text of a user: names are in the
 * database alone, so that renaming a file moves no byte. A version is written once and never changed.
 */
public record ContentKey(UUID projectId, UUID version) {
    private static final String FOLDER = "/storage/";

    public static ContentKey fresh(UUID projectId) {
        return new ContentKey(projectId, UUID.randomUUID());
    }

    String text() {
        return prefix(projectId) + version;
    }

    /** The common prefix of all files of a project. */
    static String prefix(UUID projectId) {
        return projectId + FOLDER;
    }

    /** Empty for a key that this type has not made. */
    static Optional<ContentKey> parse(UUID projectId, String text) {
        String prefix = prefix(projectId);
        if (!text.startsWith(prefix)) {
            return Optional.empty();
        }
        String version = text.substring(prefix.length());
        try {
            return Optional.of(new ContentKey(projectId, UUID.fromString(version)))
                    .filter(key -> key.text().equals(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
