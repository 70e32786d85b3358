package svc.storage.resumable;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.PartNumbers;

/**
 * The row of an upload. Its bytes are whole parts of {@link svc.storage.content.ContentStore#PART_BYTES} in one multipart
 * upload of S3, and behind them tails: what came since, as objects of their own, less than a part together.
 */
public record ResumableUpload(JsonNode json) {
    /** How far an upload is. */
    public enum State {
        /** Takes bytes. */
        OPEN,
        /** All bytes are parts; S3 puts them together, and the row of the file follows. */
        COMPLETING,
        /** A partial upload whose bytes are there. */
        STORED,
        /** A file, or part of one; the row remains for clients that missed the answer. */
        COMPLETE,
        /** Ended; its bytes are being deleted. */
        GONE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A number that is no part, in an entry of the array of tails. */
    static final String SKIPPED = "skipped";

    /** Bytes behind the last part. */
    record Tail(UUID version, int size) {}

    public UUID id() {
        return UUID.fromString(json.path("id").asText());
    }

    String caller() {
        return json.path("caller").asText();
    }

    String bucket() {
        return json.path("bucket").asText();
    }

    String name() {
        return json.path("name").asText();
    }

    String owner() {
        return json.path("owner").asText();
    }

    boolean upsert() {
        return json.path("upsert").asBoolean();
    }

    String mimetype() {
        return json.path("metadata").path("mimetype").asText();
    }

    String cacheControl() {
        return json.path("metadata").path("cacheControl").asText();
    }

    /** JSON, or empty. */
    String userMetadata() {
        return json.path("user_metadata").isObject()
                ? json.path("user_metadata").toString()
                : "";
    }

    /** As the client sent it. */
    String uploadMetadata() {
        return json.path("upload_metadata").asText();
    }

    boolean partial() {
        return json.path("partial").asBoolean();
    }

    /** As the client sent it; empty for an upload that is neither partial nor final. */
    String concat() {
        return json.path("concat").asText();
    }

    boolean isFinal() {
        return !partial() && !concat().isEmpty();
    }

    Optional<UUID> concatenatedInto() {
        return json.path("into").isTextual()
                ? Optional.of(UUID.fromString(json.path("into").asText()))
                : Optional.empty();
    }

    /** In bytes; empty while the client has not declared it. */
    OptionalLong length() {
        return json.path("length").isNumber()
                ? OptionalLong.of(json.path("length").longValue())
                : OptionalLong.empty();
    }

    /** Bytes that are stored and recorded. */
    long offset() {
        return json.path("offset").longValue();
    }

    /** Where the parts become one. */
    ContentKey content(Tenant tenant) {
        return new ContentKey(
                tenant.projectId(), UUID.fromString(json.path("version").asText()));
    }

    /** S3's id of the multipart upload; empty before the first part. */
    String multipart() {
        return json.path("multipart").asText();
    }

    /** Those that are stored and recorded, and the numbers that were taken for others. */
    PartNumbers parts() {
        Set<Integer> skipped = new HashSet<>();
        json.path("tails").forEach(entry -> {
            if (entry.has(SKIPPED)) {
                skipped.add(entry.path(SKIPPED).intValue());
            }
        });
        return new PartNumbers(json.path("parts").intValue(), skipped);
    }

    /** Of an upload that takes bytes, how many parts are recorded. */
    int wholeParts() {
        return (int) ((offset() - tailBytes()) / ContentStore.PART_BYTES);
    }

    List<Tail> tails() {
        List<Tail> tails = new ArrayList<>();
        json.path("tails").forEach(entry -> {
            if (!entry.has(SKIPPED)) {
                tails.add(new Tail(
                        UUID.fromString(entry.path("version").asText()),
                        entry.path("size").intValue()));
            }
        });
        return tails;
    }

    int tailBytes() {
        return tails().stream().mapToInt(Tail::size).sum();
    }

    State state() {
        return State.valueOf(json.path("state").asText().toUpperCase(Locale.ROOT));
    }

    Instant expires() {
        return Instant.parse(json.path("expires").asText());
    }

    /** Whether a byte may have been stored: before that nothing of it is in S3. */
    boolean begun() {
        return json.path("begun").asBoolean();
    }
}
