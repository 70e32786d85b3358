package svc.auth.mail.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/** The expression between braces: a value, or a function of values. */
sealed interface Expression {
    JsonNode value(JsonNode variables);

    /** {@code .Data.name}; a missing member is empty. */
    record Path(List<String> names) implements Expression {
        @Override
        public JsonNode value(JsonNode variables) {
            JsonNode value = variables;
            for (String name : names) {
                value = value.path(name);
            }
            return value;
        }
    }

    /** A literal text or number. */
    record Constant(String text) implements Expression {
        @Override
        public JsonNode value(JsonNode variables) {
            return TextNode.valueOf(text);
        }
    }

    /** A function of Go's templates. */
    record Call(String function, List<Expression> arguments) implements Expression {
        @Override
        public JsonNode value(JsonNode variables) {
            List<JsonNode> values = arguments.stream()
                    .map(argument -> argument.value(variables))
                    .toList();
            JsonNode first = values.getFirst();
            return switch (function) {
                case "eq" ->
                    BooleanNode.valueOf(values.stream()
                            .skip(1)
                            .anyMatch(other -> text(first).equals(text(other))));
                case "ne" -> BooleanNode.valueOf(!text(first).equals(text(values.getLast())));
                case "not" -> BooleanNode.valueOf(!isTrue(first));
                case "and" ->
                    values.stream().filter(value -> !isTrue(value)).findFirst().orElse(values.getLast());
                case "or" ->
                    values.stream().filter(Expression::isTrue).findFirst().orElse(values.getLast());
                default -> indexed(values);
            };
        }

        private static JsonNode indexed(List<JsonNode> values) {
            JsonNode value = values.getFirst();
            for (JsonNode key : values.subList(1, values.size())) {
                value = value.path(text(key));
            }
            return value;
        }
    }

    /** The text of a value: empty for a missing one, JSON for an object or an array. */
    static String text(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? "" : value.isValueNode() ? value.asText() : value.toString();
    }

    /** Go's truth: false, zero and empty values are not true. */
    static boolean isTrue(JsonNode value) {
        if (value.isNumber()) {
            return value.decimalValue().signum() != 0;
        }
        return value.isBoolean()
                ? value.booleanValue()
                : value.isContainerNode() ? !value.isEmpty() : !text(value).isEmpty();
    }

    /** @throws TemplateException for a malformed expression */
    static Expression read(String text) {
        var tokens = new Tokens(text);
        Expression read = tokens.expression(0);
        tokens.end();
        return read;
    }

    /** Tokenizer and parser of an expression. */
    final class Tokens {
        private static final int MAX_DEPTH = 16;
        private static final List<String> FUNCTIONS = List.of("eq", "ne", "not", "and", "or", "index");
        private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");
        private static final Pattern TOKEN = Pattern.compile(
                "\\s*(?:(\\()|(\\))|\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|([-+]?[0-9][0-9.]*)|(\\$?\\.[\\w.]*)|(\\w+))");

        private final String text;
        private final Matcher matcher;
        private int at;

        Tokens(String text) {
            this.text = text;
            this.matcher = TOKEN.matcher(text);
        }

        void end() {
            if (!text.substring(at).isBlank()) {
                throw unreadable();
            }
        }

        Expression expression(int depth) {
            if (depth > MAX_DEPTH || !next()) {
                throw unreadable();
            }
            String name = matcher.group(7);
            if (name == null || name.equals("true") || name.equals("false") || name.equals("nil")) {
                return operand(depth);
            }
            if (!FUNCTIONS.contains(name)) {
                throw new TemplateException("there is no function " + name + " in mails; there are " + FUNCTIONS);
            }
            List<Expression> arguments = new ArrayList<>();
            int before = at;
            while (next() && matcher.group(2) == null) {
                arguments.add(operand(depth));
                before = at;
            }
            at = before;
            if (arguments.isEmpty()) {
                throw new TemplateException(name + " lacks what it is about");
            }
            return new Call(name, arguments);
        }

        /** Parses the token that was read last. */
        private Expression operand(int depth) {
            if (matcher.group(1) != null) {
                Expression inner = expression(depth + 1);
                if (!next() || matcher.group(2) == null) {
                    throw unreadable();
                }
                return inner;
            }
            if (matcher.group(3) != null) {
                return new Constant(ESCAPE.matcher(matcher.group(3)).replaceAll("$1"));
            }
            if (matcher.group(4) != null) {
                return new Constant(matcher.group(4));
            }
            if (matcher.group(5) != null) {
                return new Constant(matcher.group(5));
            }
            if (matcher.group(6) != null) {
                String path = matcher.group(6).substring(matcher.group(6).indexOf('.') + 1);
                return new Path(path.isEmpty() ? List.of() : List.of(path.split("\\.", -1)));
            }
            String word = matcher.group(7);
            if (word == null) {
                throw unreadable();
            }
            return switch (word) {
                case "true", "false" -> new Literal(BooleanNode.valueOf(word.equals("true")));
                case "nil" -> new Literal(MissingNode.getInstance());
                default -> throw unreadable();
            };
        }

        private boolean next() {
            boolean found = matcher.find(at) && matcher.start() == at;
            if (found) {
                at = matcher.end();
            }
            return found;
        }

        private TemplateException unreadable() {
            return new TemplateException("{{ " + text + " }} cannot be read");
        }
    }

    /** A literal boolean or nil. */
    record Literal(JsonNode value) implements Expression {
        @Override
        public JsonNode value(JsonNode variables) {
            return value;
        }
    }
}
