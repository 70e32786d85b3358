package svc.management.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** How a setting of Supabase's Management API is written in a Project's spec. Values of a wrong type pass unchanged. Pure. */
enum ConfigForm {
    /** The same value. */
    PLAIN {
        @Override
        JsonNode toSpec(JsonNode value) {
            return value;
        }

        @Override
        JsonNode toConfig(JsonNode value) {
            return value;
        }
    },
    /** The opposite of a switch. */
    NEGATED {
        @Override
        JsonNode toSpec(JsonNode value) {
            return value.isBoolean() ? BooleanNode.valueOf(!value.booleanValue()) : value;
        }

        @Override
        JsonNode toConfig(JsonNode value) {
            return toSpec(value);
        }
    },
    /** A text with commas, and a list. */
    LIST {
        @Override
        JsonNode toSpec(JsonNode value) {
            if (!value.isTextual()) {
                return value;
            }
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            Arrays.stream(value.textValue().split(","))
                    .map(String::strip)
                    .filter(one -> !one.isEmpty())
                    .forEach(list::add);
            return list;
        }

        @Override
        JsonNode toConfig(JsonNode value) {
            return TextNode.valueOf(StreamSupport.stream(value.spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(",")));
        }
    },
    /** Hours, where 0 is no limit, and seconds. */
    HOURS {
        @Override
        JsonNode toSpec(JsonNode value) {
            if (!value.isNumber()) {
                return value;
            }
            return value.doubleValue() == 0
                    ? JsonNodeFactory.instance.nullNode()
                    : IntNode.valueOf((int) Math.min(Integer.MAX_VALUE, Math.round(value.doubleValue() * SECONDS)));
        }

        @Override
        JsonNode toConfig(JsonNode value) {
            if (value.isMissingNode()) {
                return IntNode.valueOf(0);
            }
            return value.asInt() % SECONDS == 0
                    ? IntNode.valueOf(value.asInt() / SECONDS)
                    : JsonNodeFactory.instance.numberNode(value.asInt() / (double) SECONDS);
        }
    },
    /** A number that Supabase's API has as a text of digits; a number is accepted too. */
    DIGITS {
        @Override
        JsonNode toSpec(JsonNode value) {
            return value.isTextual() && NUMBER.matches(value.textValue())
                    ? IntNode.valueOf(Integer.parseInt(value.textValue()))
                    : value;
        }

        @Override
        JsonNode toConfig(JsonNode value) {
            return value.isNumber() ? TextNode.valueOf(value.asText()) : value;
        }
    },
    /** Sets of characters, one of each of which a password needs. */
    CHARACTERS {
        @Override
        JsonNode toSpec(JsonNode value) {
            return Optional.of(value)
                    .filter(JsonNode::isTextual)
                    .flatMap(text -> Optional.ofNullable(SETS.get(text.textValue())))
                    .<JsonNode>map(TextNode::valueOf)
                    .orElse(value);
        }

        @Override
        JsonNode toConfig(JsonNode value) {
            return TextNode.valueOf(SETS.entrySet().stream()
                    .filter(set -> set.getValue().equals(value.asText()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(""));
        }
    },
    /** A value that is kept in a Secret and never shown. */
    SECRET {
        @Override
        JsonNode toSpec(JsonNode value) {
            return value.isNull()
                    ? value
                    : JsonNodeFactory.instance.objectNode().set("value", value);
        }

        @Override
        JsonNode toConfig(JsonNode value) {
            return JsonNodeFactory.instance.missingNode();
        }
    };

    private static final int SECONDS = 3_600;
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String NUMERALS = "0123456789";
    private static final String SYMBOLS = "!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~";

    /** What Supabase's API accepts, and the names of the spec. */
    private static final Map<String, String> SETS = Map.of(
            "",
            "Any",
            LOWER + UPPER + ":" + NUMERALS,
            "LettersDigits",
            LOWER + ":" + UPPER + ":" + NUMERALS,
            "LowerUpperDigits",
            LOWER + ":" + UPPER + ":" + NUMERALS + ":" + SYMBOLS,
            "LowerUpperDigitsSymbols");

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    abstract JsonNode toSpec(JsonNode value);

    /** @param value of the spec; missing where the spec has none */
    abstract JsonNode toConfig(JsonNode value);
}
