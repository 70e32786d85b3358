package svc.management.query.result;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes one value in the server's text format as {@code to_json} would. */
final class ValueAsJson {
    /** A JSON number; PostgreSQL's NaN and infinities become strings. */
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

    private static final Pattern ZONED =
            Pattern.compile("(\\d+-\\d\\d-\\d\\d) ([\\d:.]+)([+-]\\d\\d)(:\\d\\d)?(:\\d\\d)?( BC)?");

    /** Accepts every JSON that PostgreSQL accepts, at any depth; it only validates. */
    private static final JsonFactory READER = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private ValueAsJson() {}

    /** @param text null for SQL's null */
    static void write(JsonGenerator json, Shape shape, String text) throws IOException {
        if (text == null) {
            json.writeNull();
            return;
        }
        switch (shape) {
            case Shape.Scalar scalar -> scalar(json, scalar.kind(), text);
            case Shape.Array array -> {
                Optional<List<Object>> elements = read(() -> ArrayText.read(text, array.delimiter()));
                if (elements.isPresent()) {
                    array(json, array.element(), elements.get());
                } else {
                    json.writeString(text);
                }
            }
            case Shape.Vector vector ->
                array(
                        json,
                        new Shape.Scalar(vector.kind()),
                        text.isEmpty() ? List.of() : List.of((Object[]) text.split(" ")));
            case Shape.Composite composite -> composite(json, composite, text);
            case Shape.Hstore hstore -> hstore(json, text);
        }
    }

    /** At most six levels deep: PostgreSQL's limit of dimensions. */
    private static void array(JsonGenerator json, Shape shape, List<?> elements) throws IOException {
        json.writeStartArray();
        for (Object element : elements) {
            if (element instanceof List<?> inner) {
                array(json, shape, inner);
            } else {
                write(json, shape, (String) element);
            }
        }
        json.writeEndArray();
    }

    private static void composite(JsonGenerator json, Shape.Composite shape, String text) throws IOException {
        List<String> values = read(() -> CompositeText.read(text)).orElse(List.of());
        if (values.size() != shape.fields().size()) {
            // The type was changed after the row was read.
            json.writeString(text);
            return;
        }
        json.writeStartObject();
        for (int i = 0; i < values.size(); i++) {
            json.writeFieldName(shape.fields().get(i).name());
            write(json, shape.fields().get(i).shape(), values.get(i));
        }
        json.writeEndObject();
    }

    private static void hstore(JsonGenerator json, String text) throws IOException {
        Optional<Map<String, String>> pairs = read(() -> HstoreText.read(text));
        if (pairs.isEmpty()) {
            json.writeString(text);
            return;
        }
        json.writeStartObject();
        for (Map.Entry<String, String> pair : pairs.get().entrySet()) {
            json.writeFieldName(pair.getKey());
            write(json, Shape.TEXT, pair.getValue());
        }
        json.writeEndObject();
    }

    private static void scalar(JsonGenerator json, ValueKind kind, String text) throws IOException {
        switch (kind) {
            case NUMBER -> {
                if (NUMBER.matcher(text).matches()) {
                    json.writeNumber(text);
                } else {
                    json.writeString(text);
                }
            }
            case BOOLEAN -> json.writeBoolean("t".equals(text));
            case JSON -> {
                if (isJson(text)) {
                    json.writeRawValue(text);
                } else {
                    json.writeString(text);
                }
            }
            case TIMESTAMP -> json.writeString(timestamp(text));
            case TIMESTAMP_WITH_ZONE -> json.writeString(zoned(text));
            case TEXT -> json.writeString(text);
        }
    }

    /**
     * Empty for text in another format. A session may have changed its client encoding, which can corrupt the text on
     * its way here; it is then rendered as a string.
     */
    private static <T> Optional<T> read(Supplier<T> reader) {
        try {
            return Optional.of(reader.get());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether the text is a single JSON value; anything else would corrupt the response. */
    private static boolean isJson(String text) throws IOException {
        try (JsonParser parser = READER.createParser(text)) {
            JsonToken first = parser.nextToken();
            parser.skipChildren();
            return first != null && parser.nextToken() == null;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    /** {@code 44-03-15 00:00:00 BC} has a second blank that stays. */
    private static String timestamp(String text) {
        int blank = text.indexOf(' ');
        boolean hasTime = blank >= 0 && blank + 1 < text.length() && Character.isDigit(text.charAt(blank + 1));
        return hasTime ? text.substring(0, blank) + "T" + text.substring(blank + 1) : text;
    }

    private static String zoned(String text) {
        Matcher parts = ZONED.matcher(text);
        if (!parts.matches()) {
            // infinity
            return text;
        }
        return parts.group(1) + "T" + parts.group(2) + parts.group(3)
                + (parts.group(4) == null ? ":00" : parts.group(4))
                + (parts.group(5) == null ? "" : parts.group(5))
                + (parts.group(6) == null ? "" : parts.group(6));
    }
}
