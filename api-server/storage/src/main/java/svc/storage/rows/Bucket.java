package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import svc.platform.tenancy.Tenant;

/**
 * What decides about uploads into a bucket.
 *
 * @param prepared whether the project's tables can take files
 */
public record Bucket(String id, boolean open, OptionalLong sizeLimit, List<String> types, boolean prepared) {
    static Bucket of(JsonNode row) {
        List<String> types = new ArrayList<>();
        row.path("allowed_mime_types").forEach(type -> types.add(type.asText()));
        JsonNode limit = row.path("file_size_limit");
        return new Bucket(
                row.path("id").asText(),
                row.path("public").asBoolean(false),
                limit.isIntegralNumber() ? OptionalLong.of(limit.longValue()) : OptionalLong.empty(),
                types,
                row.path("prepared").asBoolean(false));
    }

    /** The most that a file may have here, in bytes. */
    public long limit(Tenant tenant) {
        long all = tenant.storage().fileSizeLimit();
        return sizeLimit.isPresent() ? Math.min(all, sizeLimit.getAsLong()) : all;
    }
}
