package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.PostgresArray;
import svc.graphql.schema.ScalarType;
import svc.graphql.schema.ValueType;

/** Input values in PostgreSQL's text form, checked by their GraphQL type; PostgreSQL checks the rest. */
final class InputText {
    private InputText() {}

    /**
     * The text of a value that is not null.
     *
     * @throws GraphqlError for a value of another type
     */
    static String of(ValueType type, JsonNode value) {
        return switch (type) {
            case ValueType.Scalar(ScalarType scalar) -> scalar(scalar, value);
            case ValueType.Enumeration labels ->
                labels.label(value.isTextual() ? value.textValue() : "").orElseThrow(() -> invalid(labels.typeName()));
            case ValueType.ListOf list -> list(list, value);
        };
    }

    /** The value of a column, whose length is checked. */
    static Cell cell(EntityColumn column, JsonNode value) {
        if (value.isNull()) {
            return new Cell(null);
        }
        String text = of(column.type(), value);
        String type = column.column().dataType().underlying().name();
        boolean limited = type.equals("varchar") || type.equals("bpchar");
        column.column().maxLength().filter(unused -> limited).ifPresent(most -> {
            if (text.codePointCount(0, text.length()) > most) {
                throw new GraphqlError("Invalid input for String type. Maximum character length " + most);
            }
        });
        return new Cell(text);
    }

    /** The text of an array; a single value is a list of one. */
    static String list(ValueType.ListOf type, JsonNode value) {
        List<String> elements = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(element -> elements.add(element.isNull() ? null : of(type.element(), element)));
        } else {
            elements.add(of(type.element(), value));
        }
        return PostgresArray.of(elements);
    }

    private static String scalar(ScalarType type, JsonNode value) {
        return switch (type) {
            case INT -> {
                if (!value.isIntegralNumber() || !value.canConvertToInt()) {
                    throw invalid(type.typeName());
                }
                yield value.asText();
            }
            case FLOAT -> number(value, type);
            case BIG_INT -> {
                if (!value.isTextual() && !value.isIntegralNumber()) {
                    throw invalid(type.typeName());
                }
                yield text(value);
            }
            case BIG_FLOAT -> {
                if (!value.isTextual()) {
                    throw new GraphqlError("Invalid input for BigFloat type. String required");
                }
                yield text(value);
            }
            case BOOLEAN -> {
                if (!value.isBoolean()) {
                    throw invalid(type.typeName());
                }
                yield value.asText();
            }
            case ID, STRING, DATE, TIME, DATETIME, UUID, JSON, CURSOR -> {
                if (!value.isTextual()) {
                    throw invalid(type.typeName());
                }
                yield text(value);
            }
            case OPAQUE -> {
                if (value.isContainerNode()) {
                    throw invalid(type.typeName());
                }
                yield text(value);
            }
        };
    }

    private static String number(JsonNode value, ScalarType type) {
        if (!value.isNumber()) {
            throw invalid(type.typeName());
        }
        return value.asText();
    }

    /** PostgreSQL has no character zero. */
    static String text(JsonNode value) {
        String text = value.asText();
        if (text.indexOf('\0') >= 0) {
            throw new GraphqlError("unsupported Unicode escape sequence: \\u0000 cannot be converted to text");
        }
        return text;
    }

    private static GraphqlError invalid(String type) {
        return new GraphqlError("Invalid input for " + type + " type");
    }
}
