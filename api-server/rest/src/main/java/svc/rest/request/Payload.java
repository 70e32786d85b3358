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
 * The rows of a body as JSON, each as it was written: PostgreSQL reads the values, so no number passes through a Java type.
 *
 * @param rows the objects of the body, one for a body that is an object
 */
public record Payload(List<Row> rows) {
    static final String INVALID = "Empty or invalid json";

    private static final JsonFactory JSON = new JsonFactory();

    /** What a field of CSV says for a null. */
    private static final String CSV_NULL = "NULL";

    /** The text of one object and its keys. */
    public record Row(String json, Set<String> keys) {}

    public Payload {
        rows = List.copyOf(rows);
    }

    /** Reads a body; refuses what is not an object or an array of objects, and what PostgreSQL's text cannot hold. */
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
                        // Whether the rest is JSON at all decides which error it is.
                    }
                    throw unlike();
                }
            } else {
                throw RestError.body(INVALID);
            }
            if (parser.nextToken() != null) {
                throw RestError.body(INVALID);
            }
            return new Payload(rows);
        } catch (IOException e) {
            throw RestError.body(INVALID);
        }
    }

    /** CSV with a line of names; a field {@code NULL} is null, everything else is text that the column's type reads. */
    static Payload csv(byte[] body) {
        List<List<String>> lines = CsvBody.lines(text(body));
        if (lines.size() < 2) {
            throw RestError.body("The CSV body has no rows: a line of names and a line for each row are needed");
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

    /** One row of a form; of a name that is repeated the last value. */
    static Payload form(byte[] body) {
        Map<String, String> fields = new LinkedHashMap<>();
        QueryString.ofForm(text(body)).parameters().forEach(field -> fields.put(field.key(), field.value()));
        return new Payload(List.of(row(fields)));
    }

    /** The rows as a JSON array. */
    public String json() {
        return rows.stream().map(Row::json).collect(Collectors.joining(",", "[", "]"));
    }

    /** The keys of every row when all have the same. */
    public Set<String> commonKeys() {
        if (!alike()) {
            throw unlike();
        }
        return rows.isEmpty() ? Set.of() : rows.getFirst().keys();
    }

    /** Whether all rows have the same keys. */
    boolean alike() {
        return rows.stream().allMatch(row -> row.keys().equals(rows.getFirst().keys()));
    }

    /** The error of rows that have different keys, or are no objects. */
    public static RestError unlike() {
        return RestError.body("All object keys must match");
    }

    /** A body as text; refuses what PostgreSQL's text cannot hold. */
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
            throw RestError.body("The body is not UTF-8");
        }
        throw RestError.body("The body has a NUL");
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
            // The body is in UTF-16 or UTF-32, which the parser reads but RFC 8259 no longer allows.
            throw RestError.body(INVALID);
        }
        String json = new String(body, (int) from, (int) (to - from), StandardCharsets.UTF_8);
        return new Row(json, Collections.unmodifiableSet(keys));
    }
}
