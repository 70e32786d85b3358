package svc.rest.request;

import java.util.ArrayList;
import java.util.List;

/**
 * A column, or a JSON path in a column.
 *
 * @param column its name
 * @param path empty for the column itself
 */
public record Field(String column, List<Step> path) {
    /** Maximum number of digits of an array index. */
    private static final int INDEX_DIGITS = 9;

    /** PostgreSQL parses arrows recursively: thousands would exceed its stack depth. */
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
     * @param key an object's key or, if {@code index}, an array index
     * @param asText whether the arrow is {@code ->>}
     */
    public record Step(String key, boolean index, boolean asText) {}

    /** Parses a name and the JSON path after it. */
    static Field read(Cursor cursor) {
        String column = cursor.name();
        return new Field(column, path(cursor));
    }

    /** Parses the JSON path after a name. */
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

    /** The key in the response without an alias: the last key of the path that is not an index. */
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
