package svc.management.log.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.SqlFragment;
import svc.platform.projectlog.LogSource;

/**
 * The FROM of a log query: {@code logs}, or the table of one source with cross joins of {@code unnest(metadata)} and of structures
 * in it. These are no joins here: they give names to parts of a line.
 */
final class LogTables {
    private static final String UNIFIED = "logs";
    private static final int MAX_JOINS = 20;

    private final Set<String> names = new HashSet<>();
    /** The key in front of the fields of each unnested name, with a dot at its end unless it is empty. */
    private final Map<String, String> structures = new HashMap<>();

    private String table;

    private LogTables() {}

    static LogTables of(JsonNode from) {
        var tables = new LogTables();
        List<JsonNode> items = new ArrayList<>();
        from.forEach(item -> flatten(item, items));
        if (items.isEmpty()) {
            throw new LogQueryException("A log query reads FROM logs.");
        }
        tables.table(items.getFirst());
        items.stream().skip(1).forEach(tables::structure);
        return tables;
    }

    /** The items of cross joins from left to right. */
    private static void flatten(JsonNode item, List<JsonNode> items) {
        JsonNode left = item;
        List<JsonNode> right = new ArrayList<>();
        while (left.has("JoinExpr")) {
            JsonNode join = left.get("JoinExpr");
            if (join.has("quals")
                    || join.has("usingClause")
                    || join.path("isNatural").asBoolean()
                    || !join.path("jointype").asText("JOIN_INNER").equals("JOIN_INNER")
                    || right.size() == MAX_JOINS) {
                throw new LogQueryException(
                        "Log tables cannot be joined; only CROSS JOIN unnest(metadata) AS m is supported.");
            }
            right.addFirst(join.path("rarg"));
            left = join.path("larg");
        }
        items.add(left);
        items.addAll(right);
    }

    private void table(JsonNode item) {
        JsonNode range = item.path("RangeVar");
        String name = range.path("relname").asText();
        if (!item.has("RangeVar") || range.has("schemaname") || range.has("catalogname")) {
            throw new LogQueryException(
                    "A log query reads FROM logs, or from the table of one source; not from subqueries, functions"
                            + " or other schemas.");
        }
        if (!name.equals(UNIFIED) && LogSource.ofWire(name).isEmpty()) {
            throw new LogQueryException("There is no log table " + LogSelect.shown(name)
                    + ". There are logs, edge_logs, postgres_logs, auth_logs, function_edge_logs, function_logs, storage_logs and"
                    + " realtime_logs.");
        }
        table = name;
        names.add(name);
        alias(range.path("alias")).ifPresent(names::add);
    }

    private void structure(JsonNode item) {
        JsonNode call = item.path("RangeFunction")
                .path("functions")
                .path(0)
                .path("List")
                .path("items")
                .path(0)
                .path("FuncCall");
        JsonNode function = call.path("funcname");
        boolean isUnnest = function.size() == 1
                && sval(function.get(0)).equals("unnest")
                && call.path("args").size() == 1
                && !item.path("RangeFunction").has("coldeflist")
                && !item.path("RangeFunction").path("ordinality").asBoolean();
        if (!isUnnest) {
            throw new LogQueryException(
                    "Log tables cannot be joined; only CROSS JOIN unnest(metadata) AS m is supported.");
        }
        List<String> fields = fields(call.path("args").get(0).path("ColumnRef"));
        String key =
                key(fields).orElseThrow(() -> new LogQueryException("unnest() takes metadata or a structure in it."));
        structures.put(
                alias(item.path("RangeFunction").path("alias")).orElse(fields.getLast()),
                key.isEmpty() ? "" : key + ".");
    }

    /** The names of a column reference; empty for one with a star. */
    static List<String> fields(JsonNode reference) {
        List<String> fields = new ArrayList<>();
        for (JsonNode field : reference.path("fields")) {
            if (!field.has("String")) {
                return List.of();
            }
            fields.add(sval(field));
        }
        return fields;
    }

    static String sval(JsonNode node) {
        return node.path("String").path("sval").asText();
    }

    private static Optional<String> alias(JsonNode alias) {
        if (alias.has("colnames")) {
            throw new LogQueryException("Columns of a table cannot be renamed in FROM.");
        }
        return Optional.ofNullable(alias.get("aliasname")).map(JsonNode::asText);
    }

    /** The key of an attribute that a reference names, empty for all of metadata; absent for other references. */
    Optional<String> key(List<String> fields) {
        List<String> own = own(fields);
        if (own.isEmpty()) {
            return Optional.empty();
        }
        String prefix = structures.get(own.getFirst());
        if (prefix == null
                && (own.getFirst().equals("metadata") || own.getFirst().equals("log_attributes"))) {
            prefix = "";
        }
        if (prefix == null) {
            return Optional.empty();
        }
        String rest = String.join(".", own.subList(1, own.size()));
        return Optional.of(
                rest.isEmpty() && !prefix.isEmpty() ? prefix.substring(0, prefix.length() - 1) : prefix + rest);
    }

    /** A reference without the name of the table. */
    List<String> own(List<String> fields) {
        boolean named =
                fields.size() > 1 && names.contains(fields.getFirst()) && !structures.containsKey(fields.getFirst());
        return named ? fields.subList(1, fields.size()) : fields;
    }

    boolean isUnified() {
        return table.equals(UNIFIED);
    }

    /** Which lines the table has. */
    SqlFragment lines() {
        return isUnified() ? SqlFragment.of("true") : LogColumns.ofSource(table);
    }
}
