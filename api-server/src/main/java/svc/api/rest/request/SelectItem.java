package svc.api.rest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.api.rest.error.RestError;

/** One part of {@code select=}. */
public sealed interface SelectItem {
    /** Every column. */
    record All() implements SelectItem {}

    /** @param cast the type to cast to, as the request names it */
    record One(Field field, Optional<String> alias, Optional<String> cast) implements SelectItem {
        /** What the value is called in the answer. */
        public String name() {
            return alias.orElseGet(field::defaultName);
        }
    }

    /** Reads the parameter's value; nothing selected means every column. */
    static List<SelectItem> readAll(String text) {
        var cursor = new Cursor("select parameter", text);
        List<SelectItem> items = new ArrayList<>();
        if (cursor.atEnd()) {
            return List.of(new All());
        }
        do {
            cursor.skipSpaces();
            items.add(read(cursor));
            cursor.skipSpaces();
        } while (cursor.take(","));
        cursor.requireEnd();
        return List.copyOf(items);
    }

    private static SelectItem read(Cursor cursor) {
        if (cursor.take("*")) {
            return new All();
        }
        if (cursor.looksAt("...")) {
            throw RestError.notImplemented("Spreading an embedded resource");
        }
        Optional<String> alias = Optional.empty();
        int start = cursor.mark();
        String first = cursor.name();
        if (cursor.looksAt(":") && !cursor.looksAt("::")) {
            cursor.require(":");
            alias = Optional.of(first);
            start = cursor.mark();
            first = cursor.name();
        }
        if (cursor.looksAt("()") && first.equals("count")) {
            throw RestError.aggregates();
        }
        if (cursor.peek() == '(' || cursor.peek() == '!') {
            throw RestError.notImplemented("Resource embedding");
        }
        cursor.reset(start);
        Field field = Field.read(cursor);
        Optional<String> cast = Optional.empty();
        if (cursor.take("::")) {
            cast = Optional.of(type(cursor));
        }
        if (cursor.peek() == '.') {
            throw RestError.aggregates();
        }
        return new One(field, alias, cast);
    }

    private static String type(Cursor cursor) {
        String name = cursor.name();
        return cursor.take("[]") ? name + "[]" : name;
    }
}
