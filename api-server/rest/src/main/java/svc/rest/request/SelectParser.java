package svc.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.rest.request.SelectItem.Aggregate;
import svc.rest.request.SelectItem.Join;

/** Parses {@code select=}: columns, casts, aggregates and, recursively, embedded resources. */
final class SelectParser {
    /** Limits the recursion depth. */
    private static final int MAX_DEPTH = 30;

    /** PostgreSQL's maximum number of columns of a table. */
    private static final int MAX_ITEMS = 1_600;

    /** Each is a subquery that PostgreSQL has to plan. */
    private static final int MAX_RESOURCES = 50;

    private static final String FIELD_NAME = "field name (* or [a..z0..9_$])";
    private static final String[] ITEM = {"\"...\"", FIELD_NAME, "\"*\"", "\"count()\""};
    private static final String[] AFTER_NAME = {
        "letter", "digit", "\"-\"", "\"->>\"", "\"->\"", "\"::\"", "\".\"", "\")\"", "\",\"", "end of input"
    };
    private static final String[] AFTER_CAST = {"letter", "digit", "\".\"", "\"::\"", "\")\"", "\",\"", "end of input"};
    private static final String[] AFTER_ITEM = {"\")\"", "\",\"", "end of input"};
    private static final String COUNT = "count()";

    private final Cursor cursor;
    private int count;
    private int resources;

    private SelectParser(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Parses the parameter's value; empty means all columns. */
    static List<SelectItem> read(String text) {
        var cursor = new Cursor("select parameter", text);
        if (cursor.atEnd()) {
            return List.of(new SelectItem.All());
        }
        List<SelectItem> items = new SelectParser(cursor).items(0);
        if (!cursor.atEnd()) {
            throw cursor.fail(AFTER_ITEM);
        }
        return items;
    }

    private List<SelectItem> items(int depth) {
        List<SelectItem> items = new ArrayList<>();
        do {
            cursor.skipSpaces();
            if (count++ == MAX_ITEMS) {
                throw cursor.fail("fewer items");
            }
            items.add(item(depth));
            cursor.skipSpaces();
        } while (cursor.take(","));
        return List.copyOf(items);
    }

    private SelectItem item(int depth) {
        if (cursor.take("...")) {
            return spread(depth);
        }
        if (cursor.take("*")) {
            return new SelectItem.All();
        }
        if (cursor.atEnd() || !cursor.looksAtName()) {
            throw cursor.fail(ITEM);
        }
        int start = cursor.mark();
        String first = cursor.name();
        Optional<String> alias = Optional.empty();
        if (cursor.looksAt(":") && !cursor.looksAt("::")) {
            cursor.require(":");
            if (!cursor.looksAtName()) {
                throw cursor.fail("\":\"", FIELD_NAME);
            }
            alias = Optional.of(first);
            start = cursor.mark();
            first = cursor.name();
        }
        cursor.reset(start);
        if (cursor.take(COUNT)) {
            return new SelectItem.One(Optional.empty(), Optional.empty(), Optional.of(Aggregate.COUNT), cast(), alias);
        }
        cursor.name();
        if (cursor.peek() == '(' || cursor.peek() == '!') {
            return embed(first, alias, depth);
        }
        cursor.reset(start);
        return column(alias);
    }

    private SelectItem column(Optional<String> alias) {
        Field field = Field.read(cursor);
        Optional<String> cast = cast();
        Optional<Aggregate> aggregate = Optional.empty();
        Optional<String> aggregateCast = Optional.empty();
        if (cursor.take(".")) {
            aggregate = Optional.of(aggregate());
            aggregateCast = cast();
        }
        if (!cursor.atEnd() && cursor.peek() != ',' && cursor.peek() != ')') {
            boolean plain = cast.isEmpty() && aggregate.isEmpty();
            throw cursor.fail(plain ? AFTER_NAME : aggregate.isEmpty() ? AFTER_CAST : AFTER_ITEM);
        }
        return new SelectItem.One(Optional.of(field), cast, aggregate, aggregateCast, alias);
    }

    private Aggregate aggregate() {
        for (Aggregate aggregate : Aggregate.values()) {
            if (cursor.take(aggregate.word())) {
                cursor.require("()");
                return aggregate;
            }
        }
        throw cursor.fail("\"sum\"", "\"avg\"", "\"count\"", "\"max\"", "\"min\"");
    }

    private Optional<String> cast() {
        if (!cursor.take("::")) {
            return Optional.empty();
        }
        if (!cursor.looksAtName()) {
            throw cursor.fail("letter or digit");
        }
        String name = cursor.name();
        return Optional.of(cursor.take("[]") ? name + "[]" : name);
    }

    private SelectItem embed(String target, Optional<String> alias, int depth) {
        var parameters = new EmbedParameters();
        return new SelectItem.Embed(target, alias, parameters.hint, parameters.join, members(depth));
    }

    private SelectItem spread(int depth) {
        String target = cursor.name();
        var parameters = new EmbedParameters();
        return new SelectItem.Spread(target, parameters.hint, parameters.join, members(depth));
    }

    private List<SelectItem> members(int depth) {
        if (depth >= MAX_DEPTH) {
            throw cursor.fail("fewer nested resources");
        }
        if (resources++ == MAX_RESOURCES) {
            throw cursor.fail("fewer resources");
        }
        cursor.require("(");
        if (cursor.take(")")) {
            return List.of();
        }
        if (cursor.atEnd()) {
            throw cursor.fail(ITEM[0], ITEM[1], ITEM[2], ITEM[3], "\")\"");
        }
        List<SelectItem> members = items(depth + 1);
        if (!cursor.take(")")) {
            throw cursor.fail(AFTER_ITEM);
        }
        return members;
    }

    /**
     * The parameters of an embedded resource, each after an exclamation mark: a hint and a join type. The first of each
     * kind counts.
     */
    private final class EmbedParameters {
        private Optional<String> hint = Optional.empty();
        private Optional<Join> join = Optional.empty();

        EmbedParameters() {
            int start = cursor.mark();
            for (int count = 0; count < 2 && cursor.take("!"); count++) {
                if (!cursor.looksAtName()) {
                    cursor.reset(start);
                    throw cursor.fail(AFTER_NAME);
                }
                String word = cursor.name();
                switch (word) {
                    case "inner" -> join = join.or(() -> Optional.of(Join.INNER));
                    case "left" -> join = join.or(() -> Optional.of(Join.LEFT));
                    default -> hint = hint.or(() -> Optional.of(word));
                }
            }
            if (cursor.peek() != '(') {
                cursor.reset(start);
                throw cursor.fail(AFTER_NAME);
            }
        }
    }
}
