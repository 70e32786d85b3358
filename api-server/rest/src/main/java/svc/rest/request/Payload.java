package svc.rest.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import svc.rest.error.RestError;

/**
 * The rows of a body as raw JSON: PostgreSQL parses the values, so that no number passes through a Java type.
 *
 * @param rows the objects of the body; one if the body is an object
 */
public record Payload(List<Row> rows) {
    static final String INVALID = "Empty or invalid json";

    private static final JsonFactory JSON = new JsonFactory();

    /** A CSV field that means null. */
    private static final String CSV_NULL = "NULL";

    /** The text of one object and its keys. */
    public record Row(String json, Set<String> keys) {}

    public Payload {
        rows = List.copyOf(rows);
    }

    /** Parses a JSON body, which must be an object or an array of objects. */
    static Payload read(byte[] body) {
        List<Row> rows = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(body)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                rows.add(row(parser, body));
            } else if (first == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    rows.add(row(parser, body));
                }
                if (parser.currentToken() != JsonToken.END_ARRAY) {
                    parser.skipChildren();
                    while (parser.nextToken() != null) {
                        // The error depends on whether the rest is valid JSON.
                    }
                    throw mismatchedKeys();
                }
            } else {
                throw RestError.invalidBody(INVALID);
            }
            if (parser.nextToken() != null) {
                throw RestError.invalidBody(INVALID);
            }
            return new Payload(rows);
        } catch (IOException e) {
            throw RestError.invalidBody(INVALID);
        }
    }

    /**
     * Parses CSV with a header line; the field {@code NULL} is null, any other is text that PostgreSQL parses as the
     * column's type.
     */
    static Payload csv(byte[] body) {
        List<List<String>> lines = CsvBody.lines(text(body));
        if (lines.size() < 2) {
            throw RestError.invalidBody("Invalid CSV body: expected a header line and at least one row");
        }
        List<String> names = lines.getFirst();
        List<Row> rows = new ArrayList<>();
        for (List<String> line : lines.subList(1, lines.size())) {
            Map<String, String> fields = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                fields.put(names.get(i), line.get(i).equals(CSV_NULL) ? null : line.get(i));
            }
            rows.add(row(fields));
        }
        return new Payload(rows);
    }

    /** Parses a form as one row, with the last value of a repeated name. */
    static Payload form(byte[] body) {
        Map<String, String> fields = new LinkedHashMap<>();
        QueryString.ofForm(text(body)).parameters().forEach(field -> fields.put(field.key(), field.value()));
        return new Payload(List.of(row(fields)));
    }

    /** The rows as a JSON array. */
    public String json() {
        return rows.stream().map(Row::json).collect(Collectors.joining(",", "[", "]"));
    }

    /** The keys of all rows, which must be the same. */
    public Set<String> commonKeys() {
        if (!uniform()) {
            throw mismatchedKeys();
        }
        return rows.isEmpty() ? Set.of() : rows.getFirst().keys();
    }

    /** Whether all rows have the same keys. */
    boolean uniform() {
        return rows.stream().allMatch(row -> row.keys().equals(rows.getFirst().keys()));
    }

    /** The error of rows with different keys, or that are not objects. */
    public static RestError mismatchedKeys() {
        return RestError.invalidBody("All object keys must match");
    }

    /** Decodes a body as UTF-8; refuses NUL, which PostgreSQL's text cannot contain. */
    static String text(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            if (text.indexOf('\0') < 0) {
                return text;
            }
        } catch (CharacterCodingException e) {
            throw RestError.invalidBody("The body is not valid UTF-8");
        }
        throw RestError.invalidBody("The body contains a NUL character");
    }

    private static Row row(Map<String, String> fields) {
        var written = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(written)) {
            out.writeStartObject();
            for (Map.Entry<String, String> field : fields.entrySet()) {
                out.writeStringField(field.getKey(), field.getValue());
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("while writing a row as JSON", e);
        }
        return new Row(written.toString(), Collections.unmodifiableSet(new LinkedHashSet<>(fields.keySet())));
    }

    private static Row row(JsonParser parser, byte[] body) throws IOException {
        long from = parser.currentTokenLocation().getByteOffset();
        Set<String> keys = new LinkedHashSet<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            keys.add(parser.currentName());
            parser.nextToken();
            parser.skipChildren();
        }
        long to = parser.currentLocation().getByteOffset();
        if (from < 0 || to < from) {
            // The body is UTF-16 or UTF-32, which the parser accepts but RFC 8259 does not allow.
            throw RestError.invalidBody(INVALID);
        }
        String json = new String(body, (int) from, (int) (to - from), StandardCharsets.UTF_8);
        return new Row(json, Collections.unmodifiableSet(keys));
    }
}
