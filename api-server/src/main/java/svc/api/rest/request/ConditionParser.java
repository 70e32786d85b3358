package svc.api.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import svc.api.rest.error.RestError;
import svc.api.rest.request.Condition.Quantifier;
import svc.api.rest.request.Condition.Truth;

/** Reads filters ({@code age=gte.18}) and logic trees ({@code or=(a.eq.1,not.and(b.is.null,c.lt.9))}). */
final class ConditionParser {
    private static final Set<String> FULL_TEXT = Set.of("fts", "plfts", "phfts", "wfts");

    /** Deeper than any person writes, shallower than our stack. */
    private static final int MAX_DEPTH = 50;

    private static final String OPERATORS = "operator (eq, gt, ...)";

    private ConditionParser() {}

    /** A filter of the query string: field on the left of the equals sign, operation on the right. */
    static Condition filter(String key, String value) {
        var left = new Cursor("tree path", key);
        Field field = Field.read(left);
        left.requireEnd();
        var right = new Cursor("filter", value);
        Condition condition = operation(field, right, false);
        right.requireEnd();
        return condition;
    }

    /**
     * A logic tree of the query string.
     *
     * @param key {@code and}, {@code or}, {@code not.and} or {@code not.or}
     */
    static Condition tree(String key, String value) {
        var cursor = new Cursor("logic tree", value);
        boolean negated = key.startsWith("not.");
        Condition condition = group(key.endsWith("or"), cursor, 0);
        cursor.requireEnd();
        return negated ? new Condition.Not(condition) : condition;
    }

    private static Condition group(boolean or, Cursor cursor, int depth) {
        if (depth > MAX_DEPTH) {
            throw cursor.fail("fewer nested groups");
        }
        cursor.require("(");
        List<Condition> parts = new ArrayList<>();
        do {
            cursor.skipSpaces();
            parts.add(member(cursor, depth));
            cursor.skipSpaces();
        } while (cursor.take(","));
        cursor.require(")");
        return or ? new Condition.Or(parts) : new Condition.And(parts);
    }

    private static Condition member(Cursor cursor, int depth) {
        int start = cursor.mark();
        boolean negated = cursor.take("not.");
        if (cursor.looksAt("and(") || cursor.looksAt("or(")) {
            boolean or = cursor.take("or") || !cursor.take("and");
            Condition group = group(or, cursor, depth + 1);
            return negated ? new Condition.Not(group) : group;
        }
        cursor.reset(start);
        Field field = Field.read(cursor);
        cursor.require(".");
        return operation(field, cursor, true);
    }

    private static Condition operation(Field field, Cursor cursor, boolean inTree) {
        boolean negated = cursor.take("not.");
        int start = cursor.mark();
        String word = cursor.word();
        Condition condition;
        if (FULL_TEXT.contains(word)) {
            throw RestError.notImplemented("Full-text search (" + word + ")");
        } else if (word.equals("in") && cursor.take(".")) {
            condition = new Condition.In(field, list(cursor));
        } else if (word.equals("is") && cursor.take(".")) {
            condition = new Condition.Is(field, truth(cursor, inTree));
        } else {
            Optional<Operator> operator = Operator.ofWord(word);
            if (operator.isEmpty()) {
                cursor.reset(start);
                throw cursor.fail(negated ? OPERATORS : "\"not\" or " + OPERATORS);
            }
            Quantifier quantifier = quantifier(operator.get(), cursor);
            cursor.require(".");
            String value = value(cursor, inTree);
            condition = new Condition.Compare(
                    field, operator.get(), quantifier, operator.get().pattern() ? value.replace('*', '%') : value);
        }
        return negated ? new Condition.Not(condition) : condition;
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
        cursor.require("(");
        if (cursor.take(")")) {
            return values;
        }
        do {
            values.add(cursor.peek() == '"' ? cursor.quoted() : until(cursor, ",)"));
        } while (cursor.take(","));
        cursor.require(")");
        return values;
    }

    /** Outside a tree the whole rest; inside one up to the comma or parenthesis that ends the member. */
    private static String value(Cursor cursor, boolean inTree) {
        if (!inTree) {
            return cursor.rest();
        }
        if (cursor.peek() == '"') {
            return cursor.quoted();
        }
        return cursor.peek() == '{' ? braced(cursor) : until(cursor, ",)");
    }

    private static String until(Cursor cursor, String ends) {
        var value = new StringBuilder();
        while (!cursor.atEnd() && ends.indexOf(cursor.peek()) < 0) {
            value.append(cursor.next());
        }
        return value.toString();
    }

    private static String braced(Cursor cursor) {
        var value = new StringBuilder();
        int depth = 0;
        do {
            char c = cursor.next();
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            value.append(c);
        } while (depth > 0);
        return value.toString();
    }
}
