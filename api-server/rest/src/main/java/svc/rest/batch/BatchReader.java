package svc.rest.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import svc.rest.error.RestError;

/**
 * Reads the body of a batch: a list of objects with {@code method}, {@code path}, {@code headers} and {@code body}. A JSON
 * body of a request is taken as it was written, because numbers would change on the way through Java.
 */
public final class BatchReader {
    /** Most requests of one batch. */
    public static final int MOST = 100;

    private static final JsonFactory JSON = new JsonFactory();
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final byte[] NOTHING = new byte[0];

    private final byte[] body;
    private final JsonParser parser;

    private BatchReader(byte[] body, JsonParser parser) {
        this.body = body;
        this.parser = parser;
    }

    /** @throws RestError PGRST102 for whatever is no batch */
    public static List<BatchItem> read(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            List<BatchItem> items = new BatchReader(body, parser).items();
            if (parser.nextToken() != null) {
                throw invalid("it ends before the body does");
            }
            return items;
        } catch (IOException e) {
            throw invalid("it is no JSON");
        }
    }

    private List<BatchItem> items() throws IOException {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw invalid("it is no list");
        }
        List<BatchItem> items = new ArrayList<>();
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            if (items.size() == MOST) {
                throw invalid("it has more than " + MOST + " requests");
            }
            items.add(item());
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            throw invalid("an element is no object");
        }
        return items;
    }

    private BatchItem item() throws IOException {
        String method = "GET";
        String target = null;
        List<Map.Entry<String, String>> headers = List.of();
        byte[] content = NOTHING;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (key) {
                case "method" -> method = text(key, value).toUpperCase(Locale.ROOT);
                case "path" -> target = text(key, value);
                case "headers" -> headers = headers(value);
                case "body" -> content = content(value);
                default -> throw invalid("a request has no '" + key + "'");
            }
        }
        if (!METHODS.contains(method)) {
            throw invalid("a request cannot have the method " + method);
        }
        if (target == null || !target.startsWith("/")) {
            throw invalid("a request needs a path that begins with a slash");
        }
        int question = target.indexOf('?');
        return new BatchItem(
                method,
                question < 0 ? target : target.substring(0, question),
                question < 0 ? "" : target.substring(question + 1),
                headers,
                content);
    }

    private List<Map.Entry<String, String>> headers(JsonToken value) throws IOException {
        if (value != JsonToken.START_OBJECT) {
            throw invalid("the headers of a request are an object");
        }
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            headers.add(Map.entry(name, text(name, parser.nextToken())));
        }
        return headers;
    }

    /** A text stands for itself, so that a body can be CSV; everything else is JSON. */
    private byte[] content(JsonToken value) throws IOException {
        if (value == JsonToken.VALUE_NULL) {
            return NOTHING;
        }
        if (value == JsonToken.VALUE_STRING) {
            return parser.getText().getBytes(StandardCharsets.UTF_8);
        }
        long from = parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        long to = parser.currentLocation().getByteOffset();
        if (from < 0 || to < from) {
            throw invalid("it is not in UTF-8");
        }
        return Arrays.copyOfRange(body, (int) from, (int) to);
    }

    private String text(String key, JsonToken value) throws IOException {
        if (value != JsonToken.VALUE_STRING) {
            throw invalid("'" + key + "' is no text");
        }
        return parser.getText();
    }

    private static RestError invalid(String why) {
        return RestError.body("The batch cannot be read: " + why);
    }
}
