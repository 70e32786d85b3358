package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.UUID;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentKey;

/** A file's row. */
public record ObjectRow(JsonNode json) {
    private static final int MAX_HEADER = 256;

    public String id() {
        return json.path("id").asText();
    }

    public String name() {
        return json.path("name").asText();
    }

    public String bucket() {
        return json.path("bucket_id").asText();
    }

    public String version() {
        return json.path("version").asText();
    }

    /** Empty for a row that names no version of ours: SQL of the tenant has written it. */
    public Optional<ContentKey> key(Tenant tenant) {
        return keyOf(tenant, version());
    }

    public static Optional<ContentKey> keyOf(Tenant tenant, String version) {
        try {
            // In the one spelling that the sweeper asks for.
            return Optional.of(new ContentKey(tenant.projectId(), UUID.fromString(version)))
                    .filter(key -> key.version().toString().equals(version));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** In bytes. */
    public long size() {
        return Math.max(0, metadata().path("size").asLong(0));
    }

    public String contentType() {
        return safe("mimetype", "application/octet-stream");
    }

    public String cacheControl() {
        return safe("cacheControl", "no-cache");
    }

    /** In quotes. */
    public String etag() {
        return safe("eTag", "\"" + id() + "\"");
    }

    public Instant modified() {
        return instant(metadata().path("lastModified").asText(""))
                .or(() -> instant(json.path("updated_at").asText("")))
                .orElse(Instant.EPOCH);
    }

    public JsonNode metadata() {
        return json.path("metadata");
    }

    public JsonNode userMetadata() {
        return json.path("user_metadata");
    }

    /** SQL of the tenant can write anything; not all of it can be sent in a header. */
    private String safe(String name, String otherwise) {
        String value = metadata().path(name).asText(otherwise);
        return isSafe(value) ? value : otherwise;
    }

    private static boolean isSafe(String value) {
        return !value.isEmpty()
                && value.length() <= MAX_HEADER
                && value.chars().allMatch(character -> character >= ' ' && character <= '~');
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
