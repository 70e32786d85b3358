package svc.management.log.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;

/**
 * A log query as one statement of ours over {@code svc_platform.project_log}, with three places: the project's id, and the
 * first and the first later time of the lines. Pure.
 */
public final class LogSelect {
    /** Rows of an answer. */
    public static final int MAX_ROWS = 1_000;

    private static final int MAX_COLUMNS = 40;
    private static final int MAX_OFFSET = 100_000;

    /** What a SELECT may have; each other clause is refused. */
    private static final Set<String> CLAUSES = Set.of(
            "targetList",
            "fromClause",
            "whereClause",
            "groupClause",
            "havingClause",
            "sortClause",
            "limitCount",
            "limitOffset",
            "limitOption",
            "distinctClause",
            "op",
            "groupDistinct",
            "all");

    private final JsonNode select;
    private final LogTables tables;
    /** The expression of each column of the answer, by its name; the first of a name. */
    private final Map<String, LogValue> named = new HashMap<>();

    private final List<LogValue> values = new ArrayList<>();
    private final List<SqlFragment> columns = new ArrayList<>();

    private LogSelect(JsonNode select) {
        this.select = select;
        select.fieldNames().forEachRemaining(clause -> {
            if (!CLAUSES.contains(clause)) {
                throw new LogQueryException("A log query is one SELECT without " + shown(clause) + ".");
            }
        });
        if (!select.path("op").asText("SETOP_NONE").equals("SETOP_NONE")) {
            throw new LogQueryException("A log query is one SELECT, without UNION, INTERSECT and EXCEPT.");
        }
        this.tables = LogTables.of(select.path("fromClause"));
    }

    /**
     * @param select the tree of a SelectStmt
     * @throws LogQueryException for what is not supported
     */
    public static SqlFragment of(JsonNode select) {
        return new LogSelect(select).statement();
    }

    static String shown(String word) {
        return word.length() > 60 ? word.substring(0, 60) + "…" : word;
    }

    private SqlFragment statement() {
        var plain = new LogExpressions(tables, Map.of());
        select.path("targetList").forEach(target -> target(target.path("ResTarget"), plain));
        if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
            throw new LogQueryException("A log query has 1 to " + MAX_COLUMNS + " columns.");
        }
        var expressions = new LogExpressions(tables, named);
        SqlFragment sql = (distinct() ? SqlFragment.of("SELECT DISTINCT ") : SqlFragment.of("SELECT "))
                .append(SqlFragment.join(", ", columns))
                .append(" FROM svc_platform.project_log AS l WHERE l.project_id = ? AND l.at >= ? AND l.at < ? AND ")
                .append(tables.lines());
        if (select.has("whereClause")) {
            sql = sql.append(" AND (")
                    .append(expressions.of(select.get("whereClause")).sql())
                    .append(")");
        }
        sql = grouped(sql, expressions);
        return limited(sorted(sql, expressions));
    }

    private boolean distinct() {
        JsonNode distinct = select.path("distinctClause");
        if (distinct.size() > 1 || distinct.size() == 1 && !distinct.get(0).isEmpty()) {
            throw new LogQueryException("DISTINCT ON is not supported in log queries.");
        }
        return select.has("distinctClause");
    }

    private void target(JsonNode target, LogExpressions expressions) {
        JsonNode reference = target.path("val").path("ColumnRef");
        JsonNode last = reference.path("fields").path(reference.path("fields").size() - 1);
        if (last.has("A_Star")) {
            (tables.isUnified() ? LogColumns.ALL : LogColumns.ALL_OF_SOURCE)
                    .forEach(name -> column(name, LogColumns.column(name).orElseThrow()));
            return;
        }
        LogValue value = expressions.of(target.path("val"));
        column(target.has("name") ? target.get("name").asText() : nameOf(target.path("val")), value);
    }

    private void column(String name, LogValue value) {
        values.add(value);
        named.putIfAbsent(name, value);
        columns.add(printed(value).append(" AS ").append(Identifier.of(name)));
    }

    private static String nameOf(JsonNode value) {
        List<String> fields = LogTables.fields(value.path("ColumnRef"));
        if (!fields.isEmpty()) {
            return fields.getLast();
        }
        JsonNode function = value.path("FuncCall").path("funcname");
        if (!function.isEmpty()) {
            return LogTables.sval(function.get(function.size() - 1));
        }
        return LogExpressions.textOf(value.path("A_Indirection")
                        .path("indirection")
                        .path(0)
                        .path("A_Indices")
                        .path("uidx"))
                .filter(Identifier::fits)
                .orElse("value");
    }

    /** A time as each kind of table gives it: as text, or in microseconds since 1970. */
    private SqlFragment printed(LogValue value) {
        if (value.type() != LogValue.Type.TIME) {
            return value.sql();
        }
        return tables.isUnified()
                ? SqlFragment.of("to_char((")
                        .append(value.sql())
                        .append(") AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
                : SqlFragment.of("(extract(epoch FROM ").append(value.sql()).append(") * 1000000)::bigint");
    }

    private SqlFragment grouped(SqlFragment sql, LogExpressions expressions) {
        List<SqlFragment> groups = new ArrayList<>();
        select.path("groupClause")
                .forEach(group -> groups.add(
                        LogExpressions.group(ofTarget(group, expressions).sql())));
        SqlFragment grouped = groups.isEmpty() ? sql : sql.append(" GROUP BY ").append(SqlFragment.join(", ", groups));
        return select.has("havingClause")
                ? grouped.append(" HAVING ")
                        .append(LogExpressions.group(
                                expressions.of(select.get("havingClause")).sql()))
                : grouped;
    }

    /** A number or a name of a column of the answer stands for its expression. */
    private LogValue ofTarget(JsonNode node, LogExpressions expressions) {
        JsonNode place = node.path("A_Const").path("ival");
        if (!place.isMissingNode()) {
            int index = place.path("ival").asInt();
            if (index < 1 || index > values.size()) {
                throw new LogQueryException("There is no column " + index + " to group or order by.");
            }
            return values.get(index - 1);
        }
        List<String> fields = LogTables.fields(node.path("ColumnRef"));
        return fields.size() == 1 && named.containsKey(fields.getFirst())
                ? named.get(fields.getFirst())
                : expressions.of(node);
    }

    private SqlFragment sorted(SqlFragment sql, LogExpressions expressions) {
        List<SqlFragment> keys = new ArrayList<>();
        for (JsonNode item : select.path("sortClause")) {
            JsonNode sort = item.path("SortBy");
            if (sort.has("useOp")) {
                throw new LogQueryException("ORDER BY … USING is not supported in log queries.");
            }
            SqlFragment key = LogExpressions.group(
                    ofTarget(sort.path("node"), expressions).sql());
            boolean descending = sort.path("sortby_dir").asText().equals("SORTBY_DESC");
            key = descending ? key.append(" DESC") : key;
            keys.add(
                    switch (sort.path("sortby_nulls").asText()) {
                        case "SORTBY_NULLS_FIRST" -> key.append(" NULLS FIRST");
                        case "SORTBY_NULLS_LAST" -> key.append(" NULLS LAST");
                        default -> key;
                    });
        }
        return keys.isEmpty() ? sql : sql.append(" ORDER BY ").append(SqlFragment.join(", ", keys));
    }

    private SqlFragment limited(SqlFragment sql) {
        long limit = select.has("limitCount") ? number(select.get("limitCount"), "LIMIT") : MAX_ROWS;
        SqlFragment limited = sql.append(" LIMIT ").append(Literal.of(Math.min(limit, MAX_ROWS)));
        if (!select.has("limitOffset")) {
            return limited;
        }
        long offset = number(select.get("limitOffset"), "OFFSET");
        if (offset > MAX_OFFSET) {
            throw new LogQueryException(
                    "OFFSET is at most " + MAX_OFFSET + " in a log query; narrow the window instead.");
        }
        return limited.append(" OFFSET ").append(Literal.of(offset));
    }

    private static long number(JsonNode node, String clause) {
        JsonNode constant = node.path("A_Const").path("ival");
        if (constant.isMissingNode()) {
            throw new LogQueryException(clause + " takes a number in a log query.");
        }
        return constant.path("ival").asLong();
    }
}
