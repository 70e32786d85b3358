package svc.api.management.query.result;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes one value of the server's text format as {@code to_json} would. */
final class ValueAsJson {
    /** A number of JSON; PostgreSQL's others are NaN and the infinities, which become strings. */
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

    private static final Pattern ZONED =
            Pattern.compile("(\\d+-\\d\\d-\\d\\d) ([\\d:.]+)([+-]\\d\\d)(:\\d\\d)?(:\\d\\d)?( BC)?");

    private ValueAsJson() {}

    /** @param text null for SQL's null */
    static void write(JsonGenerator json, Shape shape, String text) throws IOException {
        if (text == null) {
            json.writeNull();
            return;
        }
        switch (shape) {
            case Shape.Scalar scalar -> scalar(json, scalar.kind(), text);
            case Shape.Array array -> array(json, array.element(), ArrayText.read(text, array.delimiter()));
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
        List<String> values = CompositeText.read(text);
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
        json.writeStartObject();
        for (Map.Entry<String, String> pair : HstoreText.read(text).entrySet()) {
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
            case JSON -> json.writeRawValue(text);
            case TIMESTAMP -> json.writeString(text.replaceFirst(" (?=\\d)", "T"));
            case TIMESTAMP_WITH_ZONE -> json.writeString(zoned(text));
            case TEXT -> json.writeString(text);
        }
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
