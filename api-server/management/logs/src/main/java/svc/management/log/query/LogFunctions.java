package svc.management.log.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;

/**
 * The functions of log queries, under the names of PostgreSQL, ClickHouse and BigQuery that agents write; the grammar has folded
 * names to lower case. None of them can make a large value of small ones.
 */
final class LogFunctions {
    private static final Set<String> UNITS = Set.of("second", "minute", "hour", "day", "week");

    private final LogExpressions expressions;
    private final LogConditions conditions;

    LogFunctions(LogExpressions expressions, LogConditions conditions) {
        this.expressions = expressions;
        this.conditions = conditions;
    }

    LogValue call(JsonNode call) {
        String name = LogTables.sval(call.path("funcname").path(0));
        if (call.path("funcname").size() != 1
                || call.has("over")
                || call.has("agg_order")
                || call.path("agg_within_group").asBoolean()
                || call.path("func_variadic").asBoolean()) {
            throw unsupported(LogTables.sval(
                    call.path("funcname").path(call.path("funcname").size() - 1)));
        }
        List<JsonNode> args = new ArrayList<>();
        call.path("args").forEach(args::add);
        LogValue value = aggregate(name, call, args);
        if (call.has("agg_filter")) {
            throw new LogQueryException("Write countIf(…) instead of FILTER in a log query.");
        }
        return value;
    }

    private LogValue aggregate(String name, JsonNode call, List<JsonNode> args) {
        boolean distinct = call.path("agg_distinct").asBoolean();
        if (distinct && !name.equals("count")) {
            throw new LogQueryException("Only count takes DISTINCT in a log query.");
        }
        return switch (name) {
            case "count" ->
                args.isEmpty()
                        ? LogValue.number(SqlFragment.of("count(*)"))
                        : LogValue.number((distinct ? SqlFragment.of("count(DISTINCT ") : SqlFragment.of("count("))
                                .append(sql(name, args, 0, 1))
                                .append(")"));
            case "countif" ->
                LogValue.number(SqlFragment.of("count(*) FILTER (WHERE ")
                        .append(sql(name, args, 0, 1))
                        .append(")"));
            case "uniq", "uniqexact", "approx_count_distinct" ->
                LogValue.number(SqlFragment.of("count(DISTINCT ")
                        .append(sql(name, args, 0, 1))
                        .append(")"));
            case "sum" ->
                LogValue.number(
                        SqlFragment.of("sum(").append(number(name, args, 0, 1)).append(")"));
            case "avg" ->
                LogValue.number(
                        SqlFragment.of("avg(").append(number(name, args, 0, 1)).append(")"));
            case "sumif" -> conditional(SqlFragment.of("sum("), name, args);
            case "avgif" -> conditional(SqlFragment.of("avg("), name, args);
            case "min", "any" -> extreme(SqlFragment.of("min("), name, args);
            case "max", "anylast" -> extreme(SqlFragment.of("max("), name, args);
            default -> scalar(name, args);
        };
    }

    private LogValue conditional(SqlFragment function, String name, List<JsonNode> args) {
        return LogValue.number(function.append(number(name, args, 0, 2))
                .append(") FILTER (WHERE ")
                .append(sql(name, args, 1, 2))
                .append(")"));
    }

    private LogValue extreme(SqlFragment function, String name, List<JsonNode> args) {
        LogValue value = value(name, args, 0, 1);
        SqlFragment sql = function.append(value.number().orElse(value.sql())).append(")");
        return switch (value.number().isPresent() ? LogValue.Type.NUMBER : value.type()) {
            case NUMBER -> LogValue.number(sql);
            case TIME -> LogValue.time(sql);
            default -> LogValue.text(sql);
        };
    }

    private LogValue scalar(String name, List<JsonNode> args) {
        return switch (name) {
            case "if", "multiif" -> conditions.choice(name, args);
            case "tounixtimestamp64milli" ->
                LogValue.number(SqlFragment.of("(extract(epoch FROM ")
                        .append(sql(name, args, 0, 1))
                        .append(") * 1000)::bigint"));
            case "now", "current_timestamp" -> LogValue.time(SqlFragment.of("now()"));
            case "lower", "lcase" -> text(SqlFragment.of("lower("), name, args);
            case "upper", "ucase" -> text(SqlFragment.of("upper("), name, args);
            case "length" ->
                LogValue.number(
                        SqlFragment.of("length((").append(sql(name, args, 0, 1)).append(")::text)"));
            case "tostring" ->
                LogValue.text(LogExpressions.group(sql(name, args, 0, 1)).append("::text"));
            case "toint32orzero",
                    "toint64orzero",
                    "touint16orzero",
                    "touint32orzero",
                    "touint64orzero",
                    "tofloat64orzero" ->
                LogValue.number(SqlFragment.of("coalesce(")
                        .append(number(name, args, 0, 1))
                        .append(", 0)"));
            case "toint32",
                    "toint64",
                    "touint16",
                    "touint32",
                    "touint64",
                    "tofloat64",
                    "toint32ornull",
                    "toint64ornull",
                    "tofloat64ornull" -> LogValue.number(number(name, args, 0, 1));
            case "round" ->
                LogValue.number(SqlFragment.of("round((")
                        .append(number(name, args, 0, args.size()))
                        .append(args.size() == 2 ? SqlFragment.of(")::numeric, ") : SqlFragment.of(")::numeric"))
                        .append(args.size() == 2 ? digits(args.get(1)) : SqlFragment.empty())
                        .append(")"));
            case "floor" ->
                LogValue.number(SqlFragment.of("floor(")
                        .append(number(name, args, 0, 1))
                        .append(")"));
            case "ceil" ->
                LogValue.number(
                        SqlFragment.of("ceil(").append(number(name, args, 0, 1)).append(")"));
            case "abs" ->
                LogValue.number(
                        SqlFragment.of("abs(").append(number(name, args, 0, 1)).append(")"));
            case "position", "strpos" ->
                LogValue.number(SqlFragment.of("strpos(")
                        .append(sql(name, args, 0, 2))
                        .append(", ")
                        .append(sql(name, args, 1, 2))
                        .append(")"));
            case "positioncaseinsensitive" ->
                LogValue.number(SqlFragment.of("strpos(lower(")
                        .append(sql(name, args, 0, 2))
                        .append("), lower(")
                        .append(sql(name, args, 1, 2))
                        .append("))"));
            case "startswith", "starts_with" ->
                LogValue.other(SqlFragment.of("starts_with(")
                        .append(sql(name, args, 0, 2))
                        .append(", ")
                        .append(sql(name, args, 1, 2))
                        .append(")"));
            case "match", "regexp_contains" ->
                LogValue.other(SqlFragment.of("((")
                        .append(sql(name, args, 0, 2))
                        .append(") ~ ")
                        .append(sql(name, args, 1, 2))
                        .append(")"));
            case "date_trunc" -> truncated(name, args, 0);
            case "timestamp_trunc" -> truncated(name, args, 1);
            case "tostartofminute" -> started(Literal.of("1 minute"), name, args);
            case "tostartoffiveminutes", "tostartoffiveminute" -> started(Literal.of("5 minutes"), name, args);
            case "tostartoftenminutes" -> started(Literal.of("10 minutes"), name, args);
            case "tostartoffifteenminutes" -> started(Literal.of("15 minutes"), name, args);
            case "tostartofhour" -> started(Literal.of("1 hour"), name, args);
            case "tostartofday", "todate" -> started(Literal.of("1 day"), name, args);
            case "tostartofinterval" ->
                LogValue.time(SqlFragment.of("date_bin(")
                        .append(sql(name, args, 1, 2))
                        .append(", ")
                        .append(sql(name, args, 0, 2))
                        .append(", 'epoch')"));
            default -> throw unsupported(name);
        };
    }

    private LogValue text(SqlFragment function, String name, List<JsonNode> args) {
        return LogValue.text(function.append(sql(name, args, 0, 1)).append(")"));
    }

    private LogValue started(Literal width, String name, List<JsonNode> args) {
        return LogValue.time(SqlFragment.of("date_bin(")
                .append(width)
                .append("::interval, ")
                .append(sql(name, args, 0, 1))
                .append(", 'epoch')"));
    }

    private LogValue truncated(String name, List<JsonNode> args, int unitAt) {
        if (args.size() != 2) {
            throw unsupported(name);
        }
        JsonNode written = args.get(unitAt);
        List<String> word = LogTables.fields(written.path("ColumnRef"));
        String unit = LogExpressions.textOf(written).orElse(word.isEmpty() ? "" : word.getFirst());
        if (!UNITS.contains(unit.toLowerCase(Locale.ROOT))) {
            throw new LogQueryException(name + " takes one of " + UNITS + ".");
        }
        return LogValue.time(SqlFragment.of("date_trunc(")
                .append(Literal.of(unit.toLowerCase(Locale.ROOT)))
                .append(", ")
                .append(expressions.of(args.get(1 - unitAt)).sql())
                .append(")"));
    }

    private static SqlFragment digits(JsonNode node) {
        long digits = node.path("A_Const").path("ival").path("ival").asLong();
        if (!node.path("A_Const").has("ival") || digits < 0 || digits > 6) {
            throw new LogQueryException("round() takes 0 to 6 digits.");
        }
        return SqlFragment.of(Literal.of(digits));
    }

    private LogValue value(String name, List<JsonNode> args, int place, int count) {
        if (args.size() != count || place >= count) {
            throw new LogQueryException("The function " + name + " does not take " + args.size() + " arguments here.");
        }
        return expressions.of(args.get(place));
    }

    private SqlFragment sql(String name, List<JsonNode> args, int place, int count) {
        return value(name, args, place, count).sql();
    }

    private SqlFragment number(String name, List<JsonNode> args, int place, int count) {
        return value(name, args, place, count).asNumber();
    }

    private static LogQueryException unsupported(String name) {
        return new LogQueryException("The function " + LogSelect.shown(name)
                + " is not supported in log queries. There are count, countIf, uniq, sum, avg, min, max, lower, upper, length, round,"
                + " coalesce, if, multiIf, toInt32OrZero, toStartOfMinute, toStartOfHour, toStartOfInterval, date_trunc, match, now and some"
                + " more.");
    }
}
