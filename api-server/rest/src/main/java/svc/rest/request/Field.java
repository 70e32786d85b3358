package svc.rest.request;

import java.util.ArrayList;
import java.util.List;

/**
 * A column, or a place inside a column that holds JSON.
 *
 * @param column its name
 * @param path empty for the column itself
 */
public record Field(String column, List<Step> path) {
    /** More digits than an array has elements. */
    private static final int INDEX_DIGITS = 9;

    /** PostgreSQL reads each arrow around the one before it: thousands would be more than its stack holds. */
    private static final int MAX_ARROWS = 100;

    public Field {
        path = List.copyOf(path);
    }

    /** The column itself. */
    public static Field of(String column) {
        return new Field(column, List.of());
    }

    /**
     * One arrow.
     *
     * @param key an object's key or, if {@code index}, an array's position
     * @param asText whether the arrow was {@code ->>}
     */
    public record Step(String key, boolean index, boolean asText) {}

    /** Reads a name and the arrows after it. */
    static Field read(Cursor cursor) {
        String column = cursor.name();
        return new Field(column, path(cursor));
    }

    /** Reads the arrows after a name. */
    static List<Step> path(Cursor cursor) {
        List<Step> path = new ArrayList<>();
        while (cursor.looksAt("->")) {
            if (!path.isEmpty() && path.getLast().asText()) {
                throw cursor.fail("no arrow after ->>");
            }
            if (path.size() == MAX_ARROWS) {
                throw cursor.fail("fewer arrows");
            }
            boolean asText = cursor.take("->>") || !cursor.take("->");
            cursor.skipSpaces();
            path.add(step(cursor, asText));
        }
        return path;
    }

    /** What the value is called when the request gives no alias: the last key that is a name. */
    public String defaultName() {
        return path.reversed().stream()
                .filter(step -> !step.index())
                .map(Step::key)
                .findFirst()
                .orElse(column);
    }

    private static Step step(Cursor cursor, boolean asText) {
        if (cursor.peek() == '"') {
            return new Step(cursor.quoted(), false, asText);
        }
        boolean negative = cursor.take("-");
        if (negative && !(cursor.peek() >= '0' && cursor.peek() <= '9')) {
            throw cursor.fail("digit");
        }
        String key = cursor.jsonKey();
        boolean number = key.length() <= INDEX_DIGITS && key.chars().allMatch(c -> c >= '0' && c <= '9');
        return new Step(negative ? "-" + key : key, number, asText);
    }
}
