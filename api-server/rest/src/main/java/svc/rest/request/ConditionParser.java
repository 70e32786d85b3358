package svc.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import svc.rest.error.RestError;
import svc.rest.request.Condition.Quantifier;
import svc.rest.request.Condition.TextQuery;
import svc.rest.request.Condition.Truth;

/** Parses filters ({@code age=gte.18}) and logic trees ({@code or=(a.eq.1,not.and(b.is.null,c.lt.9))}). */
final class ConditionParser {
    /** Limits the recursion depth. */
    private static final int MAX_DEPTH = 50;

    private static final String NOT = "not.";
    private static final String OPERATORS = "operator (eq, gt, ...)";
    private static final String[] MEMBER = {
        "field name (* or [a..z0..9_$])", "negation operator (not)", "logic operator (and, or)"
    };
    private static final String[] AFTER_FIELD = {"letter", "digit", "\"-\"", "\"->>\"", "\"->\"", "delimiter (.)"};

    private ConditionParser() {}

    /** Parses the operation of a filter: the text after the equals sign. */
    static Condition filter(Field field, String value) {
        var cursor = new Cursor("filter", value);
        Condition condition = operation(field, cursor, false);
        cursor.requireEnd();
        return condition;
    }

    /** Whether a parameter's value is an operation; otherwise it is an argument of a function. */
    static boolean isOperation(String value) {
        if (!beginsAsOperation(value)) {
            return false;
        }
        try {
            filter(Field.of("_"), value);
            return true;
        } catch (RestError e) {
            return false;
        }
    }

    /** A fast check, which spares the usual values an exception. */
    private static boolean beginsAsOperation(String value) {
        var cursor = new Cursor("filter", value);
        cursor.take(NOT);
        return !cursor.word().isEmpty() && (cursor.peek() == '.' || cursor.peek() == '(');
    }

    /**
     * Parses a logic tree.
     *
     * @param operator {@code and} or {@code or}
     */
    static Condition tree(boolean negated, String operator, String value) {
        // PostgREST parses the operator and the value as one text and counts columns from its start.
        var cursor = new Cursor("logic tree", value, (negated ? NOT.length() : 0) + operator.length());
        Condition condition = group(operator.equals("or"), cursor, 0);
        cursor.requireEnd();
        return negated ? new Condition.Not(condition) : condition;
    }

    private static Condition group(boolean or, Cursor cursor, int depth) {
        if (depth > MAX_DEPTH) {
            throw cursor.fail("fewer nested groups");
        }
        cursor.skipSpaces();
        cursor.require("(");
        List<Condition> parts = new ArrayList<>();
        do {
            cursor.skipSpaces();
            parts.add(member(cursor, depth));
            cursor.skipSpaces();
        } while (cursor.take(","));
        if (!cursor.take(")")) {
            throw cursor.fail("\",\"", "\")\"");
        }
        cursor.skipSpaces();
        return or ? new Condition.Or(parts) : new Condition.And(parts);
    }

    private static Condition member(Cursor cursor, int depth) {
        boolean negated = cursor.take(NOT);
        Optional<Boolean> or = connective(cursor);
        if (or.isPresent()) {
            Condition group = group(or.get(), cursor, depth + 1);
            return negated ? new Condition.Not(group) : group;
        }
        if (negated) {
            throw cursor.fail("logic operator (and, or)");
        }
        if (!cursor.looksAtName()) {
            throw cursor.fail(MEMBER);
        }
        Field field = Field.read(cursor);
        if (!cursor.take(".")) {
            throw cursor.fail(AFTER_FIELD);
        }
        return operation(field, cursor, true);
    }

    /** Whether the next group is an OR or an AND; empty, with nothing taken, if it is none: a column may be named so. */
    private static Optional<Boolean> connective(Cursor cursor) {
        int start = cursor.mark();
        boolean or = cursor.take("or");
        if (or || cursor.take("and")) {
            cursor.skipSpaces();
            if (cursor.peek() == '(') {
                return Optional.of(or);
            }
            cursor.reset(start);
        }
        return Optional.empty();
    }

    private static Condition operation(Field field, Cursor cursor, boolean inTree) {
        boolean negated = cursor.take(NOT);
        int start = cursor.mark();
        String word = cursor.word();
        Condition condition = switch (word) {
            case "in" -> {
                dot(cursor);
                yield new Condition.In(field, list(cursor));
            }
            case "is" -> {
                dot(cursor);
                yield new Condition.Is(field, truth(cursor, inTree));
            }
            case "fts" -> search(field, TextQuery.OPERATORS, cursor, inTree);
            case "plfts" -> search(field, TextQuery.PLAIN, cursor, inTree);
            case "phfts" -> search(field, TextQuery.PHRASE, cursor, inTree);
            case "wfts" -> search(field, TextQuery.WEB, cursor, inTree);
            default -> {
                Optional<Operator> operator = Operator.ofWord(word);
                if (operator.isEmpty()) {
                    cursor.reset(start);
                    throw negated ? cursor.fail(OPERATORS) : cursor.fail("\"not\"", OPERATORS);
                }
                yield compare(field, operator.get(), cursor, inTree);
            }
        };
        return negated ? new Condition.Not(condition) : condition;
    }

    private static Condition compare(Field field, Operator operator, Cursor cursor, boolean inTree) {
        Quantifier quantifier = quantifier(operator, cursor);
        dot(cursor);
        String value = value(cursor, inTree);
        return new Condition.Compare(field, operator, quantifier, operator.pattern() ? value.replace('*', '%') : value);
    }

    private static Condition search(Field field, TextQuery query, Cursor cursor, boolean inTree) {
        Optional<String> config = Optional.empty();
        if (cursor.take("(")) {
            if (!cursor.looksAtName()) {
                throw cursor.fail(OPERATORS);
            }
            config = Optional.of(cursor.name());
            if (!cursor.take(")")) {
                throw cursor.fail(OPERATORS);
            }
        }
        dot(cursor);
        return new Condition.FullText(field, query, config, value(cursor, inTree));
    }

    private static void dot(Cursor cursor) {
        if (!cursor.take(".")) {
            throw cursor.fail(OPERATORS);
        }
    }

    private static Quantifier quantifier(Operator operator, Cursor cursor) {
        if (!operator.quantifiable()) {
            return Quantifier.NONE;
        }
        return cursor.take("(any)") ? Quantifier.ANY : cursor.take("(all)") ? Quantifier.ALL : Quantifier.NONE;
    }

    private static Truth truth(Cursor cursor, boolean inTree) {
        int start = cursor.mark();
        String word = value(cursor, inTree).toUpperCase(Locale.ROOT);
        for (Truth truth : Truth.values()) {
            if (truth.name().equals(word)) {
                return truth;
            }
        }
        cursor.reset(start);
        throw cursor.fail("isVal: (null, not_null, true, false, unknown)");
    }

    private static List<String> list(Cursor cursor) {
        List<String> values = new ArrayList<>();
        cursor.skipSpaces();
        cursor.require("(");
        cursor.skipSpaces();
        if (cursor.take(")")) {
            cursor.skipSpaces();
            return values;
        }
        do {
            values.add(quotedOr(cursor, () -> cursor.until(",)")));
        } while (cursor.take(","));
        if (!cursor.take(")")) {
            throw cursor.fail("\",\"", "\")\"");
        }
        cursor.skipSpaces();
        return values;
    }

    /** The rest of the text; within a tree up to the comma or parenthesis that ends the member. */
    private static String value(Cursor cursor, boolean inTree) {
        return inTree ? quotedOr(cursor, () -> braced(cursor)) : cursor.rest();
    }

    /** Quotes are syntax only if they enclose the whole value. */
    private static String quotedOr(Cursor cursor, Supplier<String> plain) {
        int start = cursor.mark();
        if (cursor.peek() == '"' && cursor.closesQuote()) {
            String quoted = cursor.quoted();
            if (cursor.atEnd() || cursor.peek() == ',' || cursor.peek() == ')') {
                return quoted;
            }
            cursor.reset(start);
        }
        return plain.get();
    }

    /** A PostgreSQL array literal, whose commas do not end the value, or plain text. */
    private static String braced(Cursor cursor) {
        if (cursor.peek() != '{') {
            return cursor.until(",)");
        }
        int start = cursor.mark();
        var value = new StringBuilder();
        int depth = 0;
        do {
            char c = cursor.next();
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            value.append(c);
        } while (depth > 0 && !cursor.atEnd());
        if (depth > 0) {
            cursor.reset(start);
            return cursor.until(",)");
        }
        return value.toString();
    }
}
