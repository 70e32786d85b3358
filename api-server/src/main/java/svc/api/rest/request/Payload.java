package svc.api.rest.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import svc.api.rest.error.RestError;

/**
 * The rows of a JSON body, each as it was written: PostgreSQL reads the values, so no number passes through a Java type.
 *
 * @param rows the objects of the body, one for a body that is an object
 * @param array whether the body was an array
 */
public record Payload(List<Row> rows, boolean array) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String INVALID = "Empty or invalid json";

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
                    throw RestError.body(INVALID);
                }
            } else {
                throw RestError.body(INVALID);
            }
            if (parser.nextToken() != null) {
                throw RestError.body(INVALID);
            }
            return new Payload(rows, first == JsonToken.START_ARRAY);
        } catch (IOException e) {
            throw RestError.body(INVALID);
        }
    }

    /** The keys of every row when all have the same. */
    public Set<String> commonKeys() {
        if (rows.isEmpty()) {
            return Set.of();
        }
        Set<String> keys = rows.getFirst().keys();
        if (rows.stream().anyMatch(row -> !row.keys().equals(keys))) {
            throw RestError.body("All object keys must match");
        }
        return keys;
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
