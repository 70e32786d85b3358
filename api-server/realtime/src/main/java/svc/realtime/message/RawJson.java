package svc.realtime.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.platform.json.ForeignJson;

/**
 * Cuts JSON into its members without reading it into a tree: what a client sends reaches the others as it was written,
 * numbers of any length included, and costs nothing but its text.
 */
public final class RawJson {
    private static final JsonFactory FACTORY = ForeignJson.factory();

    private RawJson() {}

    /**
     * The members of an object, each as JSON text, the last one of a name.
     *
     * @throws MalformedMessage for text that is no object, or has more than {@code most} members
     */
    public static Map<String, String> members(String text, int most) throws MalformedMessage {
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedMessage("not an object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                members.put(name, value(parser, text));
                if (members.size() > most) {
                    throw new MalformedMessage("more than " + most + " members");
                }
            }
            requireEnd(parser);
            return members;
        } catch (IOException e) {
            throw new MalformedMessage("not JSON");
        }
    }

    /**
     * The elements of an array.
     *
     * @throws MalformedMessage for text that is no array, or has more than {@code most} elements
     */
    public static List<String> array(String text, int most) throws MalformedMessage {
        List<String> elements = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new MalformedMessage("not an array");
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(value(parser, text));
                if (elements.size() > most) {
                    throw new MalformedMessage("more than " + most + " elements");
                }
            }
            requireEnd(parser);
            return elements;
        } catch (IOException e) {
            throw new MalformedMessage("not JSON");
        }
    }

    /** The elements of an array of exactly so many. */
    static String[] elements(String text, int count) throws MalformedMessage {
        String[] elements = new String[count];
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new MalformedMessage("not an array");
            }
            for (int index = 0; index < count; index++) {
                JsonToken token = parser.nextToken();
                if (token == null || token == JsonToken.END_ARRAY) {
                    throw new MalformedMessage("an array of " + index);
                }
                elements[index] = value(parser, text);
            }
            if (parser.nextToken() != JsonToken.END_ARRAY) {
                throw new MalformedMessage("an array of more than " + count);
            }
            requireEnd(parser);
            return elements;
        } catch (IOException e) {
            throw new MalformedMessage("not JSON");
        }
    }

    /** Checks that the bytes are one JSON value in UTF-8. */
    public static void require(Buffer bytes) throws MalformedMessage {
        String text = text(bytes);
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new MalformedMessage("no JSON");
            }
            parser.skipChildren();
            parser.finishToken();
            requireEnd(parser);
        } catch (IOException e) {
            throw new MalformedMessage("not JSON");
        }
    }

    /** The characters of strict UTF-8. */
    public static String text(Buffer bytes) throws MalformedMessage {
        try {
            return ForeignJson.text(bytes.getBytes());
        } catch (CharacterCodingException e) {
            throw new MalformedMessage("not UTF-8");
        }
    }

    /** The string that a JSON text is, or a number as text; empty for null and everything else. */
    public static Optional<String> string(String json) {
        if (json == null || json.isEmpty()) {
            return Optional.empty();
        }
        char first = json.charAt(0);
        if (first == '-' || first >= '0' && first <= '9') {
            return Optional.of(json);
        }
        if (first != '"') {
            return Optional.empty();
        }
        if (json.indexOf('\\') < 0) {
            return Optional.of(json.substring(1, json.length() - 1));
        }
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            return Optional.of(parser.getText());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether the JSON text is an object. */
    public static boolean isObject(String json) {
        return json != null && json.startsWith("{");
    }

    /** Text as a JSON string. */
    public static String quote(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, quoted);
        return quoted.append('"').toString();
    }

    private static String value(JsonParser parser, String text) throws IOException {
        JsonToken token = parser.currentToken();
        if (token.isScalarValue() && token != JsonToken.VALUE_STRING) {
            return parser.getText();
        }
        int from = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        return text.substring(from, (int) parser.currentLocation().getCharOffset());
    }

    private static void requireEnd(JsonParser parser) throws IOException, MalformedMessage {
        if (parser.nextToken() != null) {
            throw new MalformedMessage("more than one value");
        }
    }
}
