package svc.graphql.schema;

import java.util.List;
import java.util.Optional;

/**
 * Names of types and fields, by pg_graphql's rules.
 *
 * @param inflects whether names of the schema change from snake_case to PascalCase and camelCase
 */
record Naming(boolean inflects) {
    static boolean isValid(String name) {
        return !name.isEmpty()
                && !name.startsWith("__")
                && isStart(name.charAt(0))
                && name.chars().skip(1).allMatch(c -> isStart((char) c) || c >= '0' && c <= '9');
    }

    private static boolean isStart(char c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_';
    }

    /** Of a table, an enum or a function: {@code blog_post} is {@code BlogPost}, without inflection the name itself. */
    String type(String name) {
        return inflects ? pascal(name) : name;
    }

    /** Of a column or a parameter. */
    String column(String name) {
        return inflects ? lowerFirst(pascal(name)) : name;
    }

    /** Of a function, whose first underscore marks a computed field. */
    String function(String name) {
        return lowerFirst(type(name.startsWith("_") && name.length() > 1 ? name.substring(1) : name));
    }

    /**
     * Of the single row that a key of one column leads to: the column without {@code _id} (with inflection) or {@code Id}
     * (without), otherwise the name of the table.
     */
    String single(List<String> columns, String tableType) {
        String suffix = inflects ? "_id" : "Id";
        return Optional.of(columns)
                .filter(names -> names.size() == 1)
                .map(List::getFirst)
                .filter(column -> column.endsWith(suffix) && column.length() > suffix.length())
                .map(column -> lowerFirst(type(column.substring(0, column.length() - suffix.length()))))
                .orElseGet(() -> lowerFirst(tableType));
    }

    static String lowerFirst(String name) {
        return name.isEmpty() ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    static String upperFirst(String name) {
        return name.isEmpty() ? name : Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** Each letter or digit after another character becomes upper case, then the underscores go. */
    private static String pascal(String name) {
        var out = new StringBuilder(name.length());
        boolean inWord = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '_') {
                out.append(inWord ? c : Character.toUpperCase(c));
            }
            inWord = Character.isLetterOrDigit(c);
        }
        return out.toString();
    }
}
