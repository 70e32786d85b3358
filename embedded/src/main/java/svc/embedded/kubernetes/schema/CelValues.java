package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.NullValue;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts JSON to CEL values. A string that does not match its declared format stays a string. */
final class CelValues {

    private static final Pattern DURATION_PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?)(ns|us|µs|ms|s|m|h)");

    private CelValues() {}

    static Object of(SchemaNode schema, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> object(schema, value);
            case ARRAY -> array(schema, value);
            case NUMBER -> number(schema, value);
            case BOOLEAN -> value.booleanValue();
            case STRING, BINARY -> text(schema, value);
            case NULL, MISSING -> NullValue.NULL_VALUE;
        };
    }

    private static Map<String, Object> object(SchemaNode schema, JsonNode value) {
        boolean struct = schema.type() == JsonType.OBJECT
                && schema.values().isEmpty()
                && !schema.properties().isEmpty();
        Map<String, Object> converted = new LinkedHashMap<>();
        value.properties().forEach(field -> {
            String name = field.getKey();
            Object element = schema.field(name)
                    .map(declared -> of(declared, field.getValue()))
                    .orElseGet(() -> untyped(field.getValue()));
            if (struct) {
                CelNames.escape(name).ifPresent(escaped -> converted.put(escaped, element));
            } else {
                converted.put(name, element);
            }
        });
        return converted;
    }

    private static List<Object> array(SchemaNode schema, JsonNode value) {
        List<Object> converted = new ArrayList<>();
        value.forEach(item ->
                converted.add(schema.items().map(items -> of(items, item)).orElseGet(() -> untyped(item))));
        return converted;
    }

    private static Object untyped(JsonNode value) {
        return of(SchemaCompiler.UNTYPED, value);
    }

    private static Object number(SchemaNode schema, JsonNode value) {
        return switch (schema.type()) {
            case INTEGER, INT_OR_STRING -> value.longValue();
            case NUMBER -> value.doubleValue();
            default -> value.isIntegralNumber() ? (Object) value.longValue() : (Object) value.doubleValue();
        };
    }

    private static Object text(SchemaNode schema, JsonNode value) {
        String text = value.asText();
        if (schema.type() != JsonType.STRING || !Formats.accepts(schema.format(), value)) {
            return text;
        }
        return switch (schema.format()) {
            case "date-time" -> timestamp(OffsetDateTime.parse(text).toInstant());
            case "date" -> timestamp(LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));
            case "duration" -> duration(text);
            case "byte" -> ByteString.copyFrom(Base64.getDecoder().decode(text));
            default -> text;
        };
    }

    private static Timestamp timestamp(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    private static Duration duration(String text) {
        double nanos = 0;
        Matcher part = DURATION_PART.matcher(text);
        while (part.find()) {
            nanos += Double.parseDouble(part.group(1))
                    * switch (part.group(2)) {
                        case "h" -> 3_600e9;
                        case "m" -> 60e9;
                        case "s" -> 1e9;
                        case "ms" -> 1e6;
                        case "ns" -> 1;
                        default -> 1e3;
                    };
        }
        return Durations.fromNanos(Math.round(text.startsWith("-") ? -nanos : nanos));
    }
}
