package svc.rest.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.rest.error.RestError;
import svc.rest.request.JsonBody.First;
import svc.rest.request.JsonBody.Keys;
import svc.rest.request.JsonBody.Shape;

/** The pass over the tokens of a JSON body. */
final class JsonBodyReader {
    /**
     * Names are neither interned nor kept in a table of symbols: a body with ever new keys would fill the JVM's table of
     * strings, which all requests share.
     */
    static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final String body;

    /** The keys of the first object with their positions. */
    private final Map<String, Integer> positions = new LinkedHashMap<>();

    /** For each of these keys the number of the last object that has it. */
    private int[] seenIn = new int[0];

    private Keys keys = Keys.SAME;
    private First first = First.NONE;
    private int size;

    JsonBodyReader(String body) {
        this.body = body;
    }

    JsonBody read() {
        try (JsonParser parser = JSON.createParser(body)) {
            JsonToken start = parser.nextToken();
            if (start == null) {
                throw invalid();
            }
            int from = tokenStart(parser);
            Shape shape = shape(parser, start);
            parser.finishToken();
            int to = position(parser);
            if (parser.nextToken() != null) {
                throw invalid();
            }
            boolean objects = shape == Shape.OBJECT || shape == Shape.OBJECTS;
            return new JsonBody(
                    body.substring(from, to),
                    shape,
                    objects ? size : 0,
                    objects ? first : First.NONE,
                    objects ? keys : Keys.DIFFERENT);
        } catch (IOException e) {
            throw invalid();
        }
    }

    static int tokenStart(JsonParser parser) {
        return (int) parser.currentTokenLocation().getCharOffset();
    }

    static int position(JsonParser parser) {
        return (int) parser.currentLocation().getCharOffset();
    }

    static RestError invalid() {
        return RestError.invalidBody(Payload.INVALID);
    }

    private Shape shape(JsonParser parser, JsonToken start) throws IOException {
        if (start == JsonToken.START_OBJECT) {
            object(parser);
            return Shape.OBJECT;
        }
        if (start != JsonToken.START_ARRAY) {
            return Shape.SCALAR;
        }
        JsonToken element = parser.nextToken();
        while (element == JsonToken.START_OBJECT) {
            object(parser);
            element = parser.nextToken();
        }
        if (element == JsonToken.END_ARRAY) {
            return Shape.OBJECTS;
        }
        // Invalid JSON behind it is another error.
        while (element != JsonToken.END_ARRAY) {
            if (element == null) {
                throw invalid();
            }
            parser.skipChildren();
            element = parser.nextToken();
        }
        return Shape.LIST;
    }

    private void object(JsonParser parser) throws IOException {
        size++;
        if (size > 1) {
            other(parser);
            return;
        }
        int from = tokenStart(parser);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            if (positions.size() < JsonBody.MAX_KEYS) {
                positions.putIfAbsent(parser.currentName(), positions.size());
            } else if (!positions.containsKey(parser.currentName())) {
                keys = Keys.TOO_MANY;
            }
            parser.nextToken();
            parser.skipChildren();
        }
        first = new First(body.substring(from, position(parser)), Collections.unmodifiableSet(positions.keySet()));
        seenIn = new int[positions.size()];
        Arrays.fill(seenIn, size);
    }

    private void other(JsonParser parser) throws IOException {
        int known = 0;
        boolean unknown = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Integer position = keys == Keys.SAME ? positions.get(parser.currentName()) : null;
            if (position == null) {
                unknown = true;
            } else if (seenIn[position] != size) {
                seenIn[position] = size;
                known++;
            }
            parser.nextToken();
            parser.skipChildren();
        }
        if (keys == Keys.SAME && (unknown || known != seenIn.length)) {
            keys = Keys.DIFFERENT;
        }
    }
}
