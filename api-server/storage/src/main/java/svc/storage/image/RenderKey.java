package svc.storage.image;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import svc.storage.content.ContentKey;
import svc.storage.image.transform.Transform;

/**
 * Where one rendering of one version of a file is. Begins with the project's id; what a request wants enters hashed. A
 * version never changes, and neither does its rendering.
 *
 * @param digest in hexadecimal, of what is wanted
 */
record RenderKey(ContentKey content, String digest) {
    private static final String FOLDER = "/storage-renders/";
    private static final int DIGEST_BYTES = 16;
    private static final int UUID_CHARACTERS = 36;

    /** Changes when the program renders the same parameters in another way, so that kept renderings are made again. */
    private static final String PROGRAM = "1";

    static RenderKey of(ContentKey content, Transform wanted, String format) {
        Transform.Gravity where = wanted.where();
        String text = String.join(
                "|",
                PROGRAM,
                format,
                Integer.toString(wanted.width()),
                Integer.toString(wanted.height()),
                wanted.mode().text(),
                Integer.toString(wanted.qualityOrDefault()),
                where.name(),
                Double.toString(where.x()),
                Double.toString(where.y()));
        return new RenderKey(content, digest(text));
    }

    private static String digest(String text) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(whole, DIGEST_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    String text() {
        return prefix(content) + digest;
    }

    /** In quotes: the same for every instance, and another for each version and set of parameters. */
    String etag() {
        return "\"" + digest(content.version() + digest) + "\"";
    }

    /** The common prefix of all renderings of a version. */
    static String prefix(ContentKey content) {
        return prefix(content.projectId()) + content.version() + "/";
    }

    /** The common prefix of all renderings of a project. */
    static String prefix(UUID projectId) {
        return projectId + FOLDER;
    }

    /** The version that a key is of; empty for a key that this type has not made. */
    static Optional<ContentKey> contentOf(UUID projectId, String key) {
        String prefix = prefix(projectId);
        if (!key.startsWith(prefix) || key.length() < prefix.length() + UUID_CHARACTERS) {
            return Optional.empty();
        }
        try {
            UUID version = UUID.fromString(key.substring(prefix.length(), prefix.length() + UUID_CHARACTERS));
            return Optional.of(new ContentKey(projectId, version));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
