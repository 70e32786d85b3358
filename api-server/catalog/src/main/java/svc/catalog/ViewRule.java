package svc.catalog;

import java.util.HashMap;
import java.util.Map;

/**
 * Reads from a view's query which of its columns show a column of a relation as it is. PostgreSQL has noted that in the
 * query's target list when the view was made, through joins, subqueries and common table expressions; for expressions and
 * for UNION it notes nothing. The text is a node tree: braces around a node, parentheses around a list, a colon before a
 * field's name, a backslash before a character that is meant as such.
 */
final class ViewRule {
    /** @param column its number in the relation */
    record Origin(long relation, int column) {}

    private final String tree;
    private int at;

    private ViewRule(String tree) {
        this.tree = tree;
    }

    /** By the number of the view's column; a column without an origin is left out. */
    static Map<Integer, Origin> origins(String tree) {
        return new ViewRule(tree).read();
    }

    /** The rule's only action is a query; its own target list is meant, not that of a query within it. */
    private Map<Integer, Origin> read() {
        Map<Integer, Origin> origins = new HashMap<>();
        int depth = 0;
        for (String token = next(); !token.isEmpty(); token = next()) {
            switch (token) {
                case "{" -> depth++;
                case "}" -> depth--;
                case ":targetList" -> {
                    if (depth == 1) {
                        entries(origins);
                        return origins;
                    }
                }
                default -> {}
            }
        }
        return origins;
    }

    private void entries(Map<Integer, Origin> origins) {
        if (!next().equals("(")) {
            return;
        }
        while (next().equals("{")) {
            entry(origins);
        }
    }

    /** One entry, up to its closing brace; what its expression is made of lies deeper. */
    private void entry(Map<Integer, Origin> origins) {
        Map<String, String> fields = new HashMap<>();
        int depth = 1;
        while (depth > 0) {
            String token = next();
            switch (token) {
                case "" -> throw new IllegalStateException("a view's rule ends within a target entry");
                case "{" -> depth++;
                case "}" -> depth--;
                case ":resno", ":resorigtbl", ":resorigcol", ":resjunk" -> {
                    if (depth == 1) {
                        fields.put(token, next());
                    }
                }
                default -> {}
            }
        }
        long relation = Long.parseLong(fields.getOrDefault(":resorigtbl", "0"));
        int column = Integer.parseInt(fields.getOrDefault(":resorigcol", "0"));
        if (relation != 0 && column > 0 && "false".equals(fields.get(":resjunk"))) {
            origins.put(Integer.parseInt(fields.get(":resno")), new Origin(relation, column));
        }
    }

    /** The next token; empty at the end. */
    private String next() {
        while (at < tree.length() && Character.isWhitespace(tree.charAt(at))) {
            at++;
        }
        int from = at;
        while (at < tree.length() && !ends(tree.charAt(at))) {
            at += tree.charAt(at) == '\\' ? 2 : 1;
        }
        if (at == from && at < tree.length()) {
            at++;
        }
        return tree.substring(from, Math.min(at, tree.length()));
    }

    private static boolean ends(char c) {
        return c == '(' || c == ')' || c == '{' || c == '}' || Character.isWhitespace(c);
    }
}
