package svc.rest.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.Optional;
import svc.catalog.DataType;

/**
 * Maps a PostgreSQL type to JSON Schema as PostgREST does.
 *
 * @param format the type's name as PostgreSQL displays it; of a domain over a built-in type, the built-in type's
 */
record TypeSchema(String format) {
    private static final Pattern OUTER_QUOTES = Pattern.compile("^'+|'+$");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ARRAY = "[]";

    static TypeSchema of(DataType type) {
        DataType shown = type.underlying().id().schema().equals("pg_catalog") ? type.underlying() : type;
        return new TypeSchema(shown.displayed());
    }

    /** Empty for types that hold any JSON. */
    Optional<String> type() {
        return switch (format) {
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
        return format.endsWith(ARRAY);
    }

    /** The element type of an array. */
    Optional<TypeSchema> element() {
        return isArray()
                ? Optional.of(new TypeSchema(format.substring(0, format.length() - ARRAY.length())))
                : Optional.empty();
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
