package svc.graphql.document;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.language.EnumValue;
import graphql.language.FloatValue;
import graphql.language.IntValue;
import graphql.language.ObjectValue;
import graphql.language.StringValue;
import graphql.language.Value;

/** What the text of a value takes in a statement, in characters: its own, and the quotes and commas around it. */
public final class ValueWeight {
    private static final int PUNCTUATION = 4;
    private static final int BITS_PER_DIGIT = 3;

    private ValueWeight() {}

    /** Of a value with all that is in it. One pass. */
    public static long of(JsonNode value) {
        long weight = PUNCTUATION;
        if (value.isObject()) {
            for (var field : value.properties()) {
                weight += field.getKey().length() + of(field.getValue());
            }
        } else if (value.isArray()) {
            for (JsonNode element : value) {
                weight += of(element);
            }
        } else if (value.isTextual()) {
            weight += value.textValue().length();
        } else if (value.isBigInteger()) {
            weight += value.bigIntegerValue().bitLength() / BITS_PER_DIGIT;
        } else if (value.isBigDecimal()) {
            weight += value.decimalValue().unscaledValue().bitLength() / BITS_PER_DIGIT;
        } else {
            weight += PUNCTUATION;
        }
        return weight;
    }

    /** Of a literal alone, without the values in it. */
    static long of(Value<?> value) {
        return PUNCTUATION
                + switch (value) {
                    case StringValue text -> text.getValue().length();
                    case IntValue number -> number.getValue().bitLength() / BITS_PER_DIGIT;
                    case FloatValue number -> number.getValue().unscaledValue().bitLength() / BITS_PER_DIGIT;
                    case EnumValue name -> name.getName().length();
                    case ObjectValue object ->
                        object.getObjectFields().stream()
                                .mapToLong(field -> field.getName().length())
                                .sum();
                    default -> 0L;
                };
    }
}
