package svc.rest.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.Optional;
import svc.catalog.DataType;

/**
 * Maps a PostgreSQL type to JSON Schema.
 *
 * @param format the type's name in the document, as PostgREST has it
 * @param base the name that decides the JSON type: of a domain over a built-in type, the built-in type's
 */
record TypeSchema(String format, String base) {
    private static final Pattern OUTER_QUOTES = Pattern.compile("^'+|'+$");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ARRAY = "[]";

    /** Of a column: a domain over a built-in type has that type's name. */
    static TypeSchema of(DataType type) {
        String base = base(type);
        return new TypeSchema(base, base);
    }

    /** Of a parameter, which has the name of its type, whatever that is. */
    static TypeSchema ofParameter(DataType type) {
        return new TypeSchema(type.displayed(), base(type));
    }

    private static String base(DataType type) {
        DataType under = type.underlying();
        return (under.id().schema().equals("pg_catalog") ? under : type).displayed();
    }

    /** Empty for types that hold any JSON. */
    Optional<String> type() {
        return switch (base) {
            case "boolean" -> Optional.of("boolean");
            case "smallint", "integer", "bigint" -> Optional.of("integer");
            case "numeric", "real", "double precision" -> Optional.of("number");
            case "json", "jsonb" -> Optional.empty();
            default -> Optional.of(isArray() ? "array" : "string");
        };
    }

    /** The format in the document: that of OpenAPI for integers, otherwise the type's name. */
    String shown() {
        return switch (format) {
            case "smallint", "integer" -> "int32";
            case "bigint" -> "int64";
            default -> format;
        };
    }

    boolean isArray() {
        return base.endsWith(ARRAY);
    }

    /** The element type of an array. */
    Optional<TypeSchema> element() {
        if (!isArray()) {
            return Optional.empty();
        }
        String element = base.substring(0, base.length() - ARRAY.length());
        return Optional.of(new TypeSchema(element, element));
    }

    /** The value of a default expression that is a constant. */
    Optional<JsonNode> constant(String expression) {
        if (type().filter("string"::equals).isPresent()) {
            String cast = "::" + format;
            return Optional.of(TextNode.valueOf(
                    expression.endsWith(cast)
                            ? OUTER_QUOTES
                                    .matcher(expression.substring(0, expression.length() - cast.length()))
                                    .replaceAll("")
                            : expression));
        }
        try {
            JsonNode value = JSON.readTree(expression);
            return value == null || value.isMissingNode() ? Optional.empty() : Optional.of(value);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
