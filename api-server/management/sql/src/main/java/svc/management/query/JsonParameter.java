package svc.management.query;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.postgres.script.ScriptParameter;

/** A parameter in a request body. Numbers keep their digits as written, because a double would change them. */
@JsonDeserialize(using = JsonParameter.Reader.class)
@Schema(
        name = "SqlParameter",
        description = "Any JSON value",
        anyOf = {String.class, Boolean.class, Double.class, Object[].class, Object.class})
sealed interface JsonParameter extends ScriptParameter {
    /** JSON null. */
    record Nothing() implements JsonParameter {
        @Override
        public Optional<String> text(String type) {
            return Optional.empty();
        }

        @Override
        public String json() {
            return "null";
        }
    }

    /**
     * A boolean, a number or a string.
     *
     * @param value in PostgreSQL's text format
     * @param json as written
     */
    record Scalar(String value, String json) implements JsonParameter {
        @Override
        public Optional<String> text(String type) {
            // A json column stores the JSON value: the string "a", not the text a.
            return Optional.of(isJson(type) ? json : value);
        }
    }

    /** An object. */
    record Document(String json) implements JsonParameter {
        @Override
        public Optional<String> text(String type) {
            return Optional.of(json);
        }
    }

    /** An array: PostgreSQL's array syntax for an array type, JSON text for every other. */
    record Elements(List<JsonParameter> elements, String json) implements JsonParameter {
        public Elements {
            elements = List.copyOf(elements);
        }

        @Override
        public Optional<String> text(String type) {
            return Optional.of(type.endsWith("[]") ? literal(type.substring(0, type.length() - 2)) : json);
        }

        private String literal(String type) {
            return elements.stream()
                    .map(element -> element instanceof Elements inner && !isJson(type)
                            ? inner.literal(type)
                            : element.text(type).map(Elements::quoted).orElse("NULL"))
                    .collect(Collectors.joining(",", "{", "}"));
        }

        private static String quoted(String text) {
            return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        }
    }

    /** The value as JSON. */
    String json();

    private static boolean isJson(String type) {
        return type.equals("json") || type.equals("jsonb");
    }

    /** Reads one value of any kind. */
    final class Reader extends JsonDeserializer<JsonParameter> {
        /**
         * MAXDIM of PostgreSQL: deeper nesting can only be JSON. Each level keeps its own text, so without this limit a
         * body of a thousand brackets would take a thousand times its length.
         */
        private static final int MAX_DIMENSIONS = 6;

        @Override
        public JsonParameter getNullValue(DeserializationContext context) {
            return new Nothing();
        }

        @Override
        public JsonParameter deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return read(parser, 0);
        }

        /** @param depth number of enclosing arrays */
        private static JsonParameter read(JsonParser parser, int depth) throws IOException {
            return switch (parser.currentToken()) {
                case VALUE_NULL -> new Nothing();
                case VALUE_STRING -> new Scalar(parser.getText(), document(parser));
                case START_OBJECT -> new Document(document(parser));
                case START_ARRAY -> depth < MAX_DIMENSIONS ? elements(parser, depth) : new Document(document(parser));
                default -> new Scalar(parser.getText(), parser.getText());
            };
        }

        private static JsonParameter elements(JsonParser parser, int depth) throws IOException {
            List<JsonParameter> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(read(parser, depth + 1));
            }
            return new Elements(
                    elements, elements.stream().map(JsonParameter::json).collect(Collectors.joining(",", "[", "]")));
        }

        /** Reads the current value to its end, with each number as written. */
        private static String document(JsonParser parser) throws IOException {
            var text = new StringWriter();
            try (JsonGenerator out = parser.getCodec().getFactory().createGenerator(text)) {
                int depth = 0;
                while (true) {
                    JsonToken token = parser.currentToken();
                    if (token.isNumeric()) {
                        out.writeNumber(parser.getText());
                    } else {
                        out.copyCurrentEvent(parser);
                    }
                    depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                    if (depth == 0) {
                        break;
                    }
                    parser.nextToken();
                }
            }
            return text.toString();
        }
    }
}
