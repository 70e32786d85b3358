package svc.storage.resumable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import svc.storage.body.CacheControl;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;

/**
 * What Upload-Metadata says of a file, in Supabase's keys.
 *
 * @param header as the client sent it
 * @param cacheControl as it is answered
 */
record FileMetadata(
        String header,
        String bucket,
        String name,
        String contentType,
        String cacheControl,
        Optional<ObjectNode> userMetadata) {
    private static final int MAX_PAIRS = 64;
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,256}");

    /** @throws StorageError for a header that cannot be read, or does not name a file */
    static FileMetadata of(StorageCall call) {
        String header = call.header("upload-metadata").orElse("").strip();
        Map<String, String> pairs = pairs(header);
        return new FileMetadata(
                header,
                required(pairs, "bucketName"),
                required(pairs, "objectName"),
                Optional.ofNullable(pairs.get("contentType"))
                        .filter(type -> !type.isBlank())
                        .orElse(MimeType.UNKNOWN),
                Optional.ofNullable(pairs.get("cacheControl"))
                        .map(CacheControl::ofSeconds)
                        .orElse(CacheControl.NONE),
                Optional.ofNullable(pairs.get("metadata")).flatMap(StorageCall::readObject));
    }

    private static String required(Map<String, String> pairs, String key) {
        return Optional.ofNullable(pairs.get(key))
                .filter(value -> !value.isEmpty())
                .orElseThrow(() -> TusError.header("Upload-Metadata must have the key " + key
                        + ", also of a partial upload (metadataForPartialUploads of tus-js-client)"));
    }

    private static Map<String, String> pairs(String header) {
        Map<String, String> pairs = new HashMap<>();
        if (header.isEmpty()) {
            return pairs;
        }
        for (String pair : header.split(",", -1)) {
            String[] parts = pair.strip().split(" ", -1);
            if (!KEY.matcher(parts[0]).matches() || parts.length > 2 || pairs.size() == MAX_PAIRS) {
                throw TusError.header("Upload-Metadata must be pairs of a key and Base64, up to " + MAX_PAIRS);
            }
            if (pairs.put(parts[0], parts.length == 1 ? "" : decoded(parts[1])) != null) {
                throw TusError.header("Upload-Metadata has a key twice");
            }
        }
        return pairs;
    }

    private static String decoded(String base64) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(base64)))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                throw TusError.header("Upload-Metadata has a NUL character");
            }
            return text;
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw TusError.header("Upload-Metadata must have values in Base64, of UTF-8");
        }
    }
}
