package svc.api.management.query.result;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.api.db.owner.ResultRows;

/**
 * Rows as a JSON array of objects, with values as {@code row_to_json} renders them. Types that a project made itself
 * (enums, composites, and arrays of them) have no fixed number and appear as the server's text.
 */
public final class RowsAsJson {
    private static final byte[] NOTHING = "[]".getBytes(StandardCharsets.US_ASCII);
    private static final JsonFactory JSON = new JsonFactory();

    /** A number of JSON; PostgreSQL's others are NaN and the infinities, which become strings. */
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

    private static final Pattern ZONED =
            Pattern.compile("(\\d+-\\d\\d-\\d\\d) ([\\d:.]+)([+-]\\d\\d)(:\\d\\d)?(:\\d\\d)?( BC)?");

    private RowsAsJson() {}

    /** {@code []} for a script that returned no rows. */
    public static byte[] nothing() {
        return NOTHING.clone();
    }

    /** UTF-8. A column name that occurs twice occurs twice in the object, as in {@code row_to_json}. */
    public static byte[] of(ResultRows result) {
        List<ResultRows.Column> columns = result.columns();
        ValueKind.Shape[] shapes =
                columns.stream().map(column -> ValueKind.of(column.typeOid())).toArray(ValueKind.Shape[]::new);
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartArray();
            for (byte[][] row : result.rows()) {
                json.writeStartObject();
                for (int i = 0; i < row.length; i++) {
                    json.writeFieldName(columns.get(i).name());
                    write(json, shapes[i], row[i]);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException("while rendering rows", e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, ValueKind.Shape shape, byte[] value) throws IOException {
        if (value == null) {
            json.writeNull();
            return;
        }
        String text = new String(value, StandardCharsets.UTF_8);
        if (shape.array()) {
            array(json, shape.kind(), ArrayText.read(text, shape.delimiter()));
        } else {
            scalar(json, shape.kind(), text);
        }
    }

    /** At most six levels deep: PostgreSQL's limit of dimensions. */
    private static void array(JsonGenerator json, ValueKind kind, List<?> elements) throws IOException {
        json.writeStartArray();
        for (Object element : elements) {
            switch (element) {
                case null -> json.writeNull();
                case List<?> inner -> array(json, kind, inner);
                default -> scalar(json, kind, (String) element);
            }
        }
        json.writeEndArray();
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
            case DATE, TEXT -> json.writeString(text);
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
