package svc.graphql.schema;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;

/** Default values of parameters, as introspection shows them. */
final class DefaultLiteral {
    /** A string (1) or a word (2), and the type that PostgreSQL writes behind it. A string may be as long as a tenant likes. */
    private static final Pattern LITERAL =
            Pattern.compile("(?:'((?:[^'\\\\]|'')*)'|([-+.0-9A-Za-z]+))(?:::[A-Za-z0-9_\". ]+(?:\\([0-9,]+\\))?)?");

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?");
    private static final Pattern TRUTH = Pattern.compile("true|false");

    private DefaultLiteral() {}

    /**
     * The literal of GraphQL for an expression of PostgreSQL; empty for null and for what is computed.
     *
     * @param expression as PostgreSQL writes it: {@code 10}, {@code 'a'::text}, {@code now()}
     */
    static Optional<String> of(String expression, ValueType type) {
        Matcher literal = LITERAL.matcher(expression);
        if (!literal.matches()) {
            return Optional.empty();
        }
        boolean quoted = literal.group(1) != null;
        String value = quoted ? literal.group(1).replace("''", "'") : literal.group(2);
        return switch (type) {
            case ValueType.Scalar(ScalarType scalar) -> scalar(scalar, value, quoted);
            case ValueType.Enumeration labels ->
                labels.labels().stream()
                        .filter(label -> quoted && label.label().equals(value))
                        .map(ValueType.Label::name)
                        .findFirst();
            case ValueType.ListOf unused -> Optional.empty();
        };
    }

    private static Optional<String> scalar(ScalarType scalar, String value, boolean quoted) {
        return switch (scalar) {
            case INT, FLOAT, BIG_INT, BIG_FLOAT -> Optional.of(value).filter(NUMBER::matches);
            case BOOLEAN -> Optional.of(value).filter(TRUTH::matches);
            case ID, STRING, DATE, TIME, DATETIME, UUID, JSON, CURSOR, OPAQUE ->
                quoted
                        ? Optional.of("\""
                                + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + "\"")
                        : Optional.empty();
        };
    }
}
