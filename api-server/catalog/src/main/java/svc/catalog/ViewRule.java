package svc.catalog;

import java.util.HashMap;
import java.util.Map;

/**
 * Parses a view's query to find the columns that show a column of a relation unchanged. PostgreSQL records their origin in
 * the target list ({@code resorigtbl}, {@code resorigcol}) when the view is created, through joins, subqueries and common
 * table expressions, but not for expressions and UNION. The text is a node tree: braces around a node, parentheses around a
 * list, a colon before a field name, a backslash as the escape character.
 */
public final class ViewRule {
    /** @param column its attribute number in the relation */
    public record Origin(long relation, int column) {}

    private final String tree;
    private int at;

    private ViewRule(String tree) {
        this.tree = tree;
    }

    /** Origins by the view's attribute number; columns without an origin are absent. */
    public static Map<Integer, Origin> origins(String tree) {
        return new ViewRule(tree).read();
    }

    /** The rule's only action is a query. Reads its target list, not that of a subquery. */
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

    /** Reads one entry up to its closing brace; the expression's nodes are nested deeper. */
    private void entry(Map<Integer, Origin> origins) {
        Map<String, String> fields = new HashMap<>();
        int depth = 1;
        while (depth > 0) {
            String token = next();
            switch (token) {
                case "" -> throw new IllegalStateException("unexpected end of a view's rule within a target entry");
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

    /** Returns the next token; empty at the end. */
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
