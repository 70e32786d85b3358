package svc.storage.bucket;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;

/** The settings of a bucket that a body gives, checked and as columns want them. */
final class BucketSettings {
    private static final int MAX_TYPES = 200;

    /** A number and a unit: {@code MB} of the International System, as upstream reads it, or {@code MiB}. */
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,3})?) ?(?:([kmgt])(i)?)?b?");

    private static final int DECIMAL = 1_000;
    private static final int BINARY = 1_024;
    private static final String PUBLIC = "public";
    private static final String LIMIT = "file_size_limit";
    private static final String TYPES = "allowed_mime_types";

    /** Supabase's. Versions that are there stay, whatever the status. */
    static final String VERSIONING = "versioning_status";

    private static final List<String> STATUSES = List.of("DISABLED", "ENABLED", "SUSPENDED");

    private BucketSettings() {}

    /** The given ones alone. */
    static ObjectNode read(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        ObjectNode columns = StorageCall.newObject();
        fields.flag(PUBLIC).ifPresent(open -> columns.put(PUBLIC, open));
        fields.text(VERSIONING).ifPresent(status -> {
            if (!STATUSES.contains(status)) {
                throw StorageError.invalidRequest(
                        "body/versioning_status must be equal to one of the allowed values: " + STATUSES);
            }
            columns.put(VERSIONING, status);
        });
        if (fields.has(LIMIT)) {
            limit(call, fields.body().path(LIMIT), columns);
        }
        if (fields.has(TYPES)) {
            types(fields, columns);
        }
        return columns;
    }

    private static void limit(StorageCall call, JsonNode value, ObjectNode columns) {
        if (value.isNull()) {
            columns.putNull(LIMIT);
            return;
        }
        long bytes = value.isIntegralNumber() && value.canConvertToLong()
                ? value.longValue()
                : parse(value.isTextual() ? value.textValue() : "");
        if (bytes < 0) {
            throw StorageError.invalidRequest(
                    "body/file_size_limit must be a size in bytes, such as 1048576 or \"1MB\"");
        }
        if (bytes > call.tenant().storage().fileSizeLimit()) {
            throw StorageError.tooLarge();
        }
        // Zero is no limit, as upstream.
        if (bytes == 0) {
            columns.putNull(LIMIT);
        } else {
            columns.put(LIMIT, bytes);
        }
    }

    private static long parse(String text) {
        Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return -1;
        }
        String prefix = matcher.group(2);
        int power = prefix == null ? 0 : "bkmgt".indexOf(prefix);
        int base = matcher.group(3) == null ? DECIMAL : BINARY;
        BigDecimal bytes = new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(base).pow(power));
        return bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : bytes.longValue();
    }

    private static void types(BodyFields fields, ObjectNode columns) {
        JsonNode value = fields.body().path(TYPES);
        if (value.isNull() || value.isArray() && value.isEmpty()) {
            columns.putNull(TYPES);
            return;
        }
        var types = columns.putArray(TYPES);
        fields.texts(TYPES, MAX_TYPES).forEach(type -> types.add(MimeType.acceptedPattern(type)));
    }
}
