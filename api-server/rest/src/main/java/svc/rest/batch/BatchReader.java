package svc.rest.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import svc.rest.error.RestError;
import svc.rest.request.Payload;

/**
 * Parses the body of a batch: an array of objects with {@code method}, {@code path}, {@code headers} and {@code body}. A
 * JSON body of an item is copied as it is written, because numbers would lose digits in Java types.
 */
public final class BatchReader {
    /** Maximum number of requests in a batch. */
    public static final int MAX_REQUESTS = 100;

    /** Of one request; a server accepts no more in 32 KB. */
    private static final int MAX_HEADERS = 1_000;

    /** Names are not kept: a body may have ever new ones. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final byte[] NOTHING = new byte[0];

    private final String body;
    private final JsonParser parser;

    private BatchReader(String body, JsonParser parser) {
        this.body = body;
        this.parser = parser;
    }

    /** @throws RestError PGRST102 for an invalid batch */
    public static List<BatchItem> read(byte[] body) {
        String text = Payload.text(body);
        try (JsonParser parser = JSON.createParser(text)) {
            List<BatchItem> items = new BatchReader(text, parser).items();
            if (parser.nextToken() != null) {
                throw invalid("unexpected text after the array");
            }
            return items;
        } catch (IOException e) {
            throw invalid("not valid JSON");
        }
    }

    private List<BatchItem> items() throws IOException {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw invalid("expected an array of requests");
        }
        List<BatchItem> items = new ArrayList<>();
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            if (items.size() == MAX_REQUESTS) {
                throw invalid("more than " + MAX_REQUESTS + " requests");
            }
            items.add(item());
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            throw invalid("expected an object as each element");
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
                default -> throw invalid("unknown key '" + key + "' of a request");
            }
        }
        if (!METHODS.contains(method)) {
            throw invalid("unsupported method " + method);
        }
        if (target == null || !target.startsWith("/")) {
            throw invalid("a request needs a path that starts with a slash");
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
            throw invalid("the headers of a request must be an object");
        }
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (headers.size() == MAX_HEADERS) {
                throw invalid("more than " + MAX_HEADERS + " headers of a request");
            }
            headers.add(Map.entry(name, text(name, parser.nextToken())));
        }
        return headers;
    }

    /** A string is the body itself, which may be CSV; any other value is a JSON body. */
    private byte[] content(JsonToken value) throws IOException {
        if (value == JsonToken.VALUE_NULL) {
            return NOTHING;
        }
        if (value == JsonToken.VALUE_STRING) {
            return parser.getText().getBytes(StandardCharsets.UTF_8);
        }
        int from = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        int to = (int) parser.currentLocation().getCharOffset();
        return body.substring(from, to).getBytes(StandardCharsets.UTF_8);
    }

    private String text(String key, JsonToken value) throws IOException {
        if (value != JsonToken.VALUE_STRING) {
            throw invalid("'" + key + "' must be a string");
        }
        return parser.getText();
    }

    private static RestError invalid(String why) {
        return RestError.invalidBody("Invalid batch: " + why);
    }
}
