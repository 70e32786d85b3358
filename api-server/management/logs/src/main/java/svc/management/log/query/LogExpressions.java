package svc.management.log.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;

/**
 * Expressions of a log query. Each kind of node that is known is written from its parts; any other is refused, so no text of
 * the query reaches PostgreSQL but constants, as literals.
 */
final class LogExpressions {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{0,18}[.]?[0-9]{0,18}");

    private static final int MAX_DEPTH = 60;
    private static final int MAX_NODES = 1_000;
    /** Of one expression: some parts are written twice. */
    private static final int MAX_CHARACTERS = 40_000;

    /** Of all of them together, inner and outer. */
    private static final int MAX_WRITTEN = 1_000_000;

    private static final int MAX_CONCATENATIONS = 16;
    private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");

    private static final Map<String, SqlFragment> OPERATORS = Map.ofEntries(
            Map.entry("=", SqlFragment.of(" = ")),
            Map.entry("<>", SqlFragment.of(" <> ")),
            Map.entry("<", SqlFragment.of(" < ")),
            Map.entry("<=", SqlFragment.of(" <= ")),
            Map.entry(">", SqlFragment.of(" > ")),
            Map.entry(">=", SqlFragment.of(" >= ")),
            Map.entry("+", SqlFragment.of(" + ")),
            Map.entry("-", SqlFragment.of(" - ")),
            Map.entry("*", SqlFragment.of(" * ")),
            Map.entry("/", SqlFragment.of(" / ")),
            Map.entry("%", SqlFragment.of(" % ")),
            Map.entry("||", SqlFragment.of(" || ")),
            Map.entry("~", SqlFragment.of(" ~ ")),
            Map.entry("~*", SqlFragment.of(" ~* ")),
            Map.entry("!~", SqlFragment.of(" !~ ")),
            Map.entry("!~*", SqlFragment.of(" !~* ")),
            Map.entry("~~", SqlFragment.of(" LIKE ")),
            Map.entry("!~~", SqlFragment.of(" NOT LIKE ")),
            Map.entry("~~*", SqlFragment.of(" ILIKE ")),
            Map.entry("!~~*", SqlFragment.of(" NOT ILIKE ")));

    private final LogTables tables;
    private final LogConditions conditions = new LogConditions(this);
    private final LogFunctions functions = new LogFunctions(this, conditions);
    private final Map<String, LogValue> aliases;
    private int depth;
    private int nodes;
    private int written;
    private int concatenations;

    /** @param aliases of the select list; used where no column has the name */
    LogExpressions(LogTables tables, Map<String, LogValue> aliases) {
        this.tables = tables;
        this.aliases = aliases;
    }

    /** @throws LogQueryException for a part that is not supported */
    LogValue of(JsonNode node) {
        nodes++;
        depth++;
        if (depth > MAX_DEPTH || nodes > MAX_NODES) {
            throw new LogQueryException("The log query is too large or nested too deeply.");
        }
        LogValue value = read(node);
        depth--;
        int length = value.sql().sql().length();
        written += length;
        if (length > MAX_CHARACTERS || written > MAX_WRITTEN) {
            throw new LogQueryException("The log query is too large or nested too deeply.");
        }
        return value;
    }

    private LogValue read(JsonNode node) {
        if (node.size() != 1) {
            throw new LogQueryException("The log query has an expression that is not supported.");
        }
        var only = node.properties().iterator().next();
        JsonNode content = only.getValue();
        return switch (only.getKey()) {
            case "A_Const" -> constant(content);
            case "ColumnRef" -> column(content);
            case "A_Indirection" -> element(content);
            case "A_Expr" -> operation(content);
            case "BoolExpr" -> conditions.logic(content);
            case "NullTest" ->
                LogValue.other(group(of(content.path("arg")).sql())
                        .append(
                                content.path("nulltesttype").asText().equals("IS_NOT_NULL")
                                        ? SqlFragment.of(" IS NOT NULL")
                                        : SqlFragment.of(" IS NULL")));
            case "FuncCall" -> functions.call(content);
            case "SQLValueFunction" -> LogValue.time(SqlFragment.of("now()"));
            case "CoalesceExpr" -> conditions.coalesce(content);
            case "CaseExpr" -> conditions.cases(content);
            case "TypeCast" -> LogCasts.of(content, this);
            default ->
                throw new LogQueryException("Log queries cannot have " + LogSelect.shown(only.getKey())
                        + ": one SELECT with columns, constants, operators and the functions of the documentation.");
        };
    }

    static SqlFragment group(SqlFragment sql) {
        return SqlFragment.of("(").append(sql).append(")");
    }

    private static LogValue constant(JsonNode constant) {
        if (constant.path("isnull").asBoolean()) {
            return LogValue.other(SqlFragment.of("NULL"));
        }
        if (constant.has("ival")) {
            return LogValue.number(
                    SqlFragment.of(Literal.of(constant.get("ival").path("ival").asLong())));
        }
        if (constant.has("fval")) {
            String digits = constant.get("fval").path("fval").asText();
            if (!NUMBER.matches(digits)) {
                throw new LogQueryException("A number has too many digits.");
            }
            return LogValue.number(SqlFragment.of(Literal.of(digits)).append("::numeric"));
        }
        if (constant.has("boolval")) {
            boolean value = constant.get("boolval").path("boolval").asBoolean();
            return LogValue.other(SqlFragment.of(Literal.of(value)));
        }
        if (constant.has("sval")) {
            return LogValue.other(SqlFragment.of(Literal.of(text(constant))));
        }
        throw new LogQueryException("Bit strings are not supported in log queries.");
    }

    private static String text(JsonNode constant) {
        return constant.path("sval").path("sval").asText();
    }

    /** The text of a constant node; empty for another node. */
    static Optional<String> textOf(JsonNode node) {
        JsonNode constant = node.path("A_Const");
        return constant.has("sval") ? Optional.of(text(constant)) : Optional.empty();
    }

    private LogValue column(JsonNode reference) {
        List<String> fields = tables.own(LogTables.fields(reference));
        if (fields.isEmpty()) {
            throw new LogQueryException("* stands alone in the select list.");
        }
        Optional<LogValue> known = fields.size() == 1 ? LogColumns.column(fields.getFirst()) : Optional.empty();
        if (known.isPresent()) {
            return known.get();
        }
        if (fields.size() == 1 && aliases.containsKey(fields.getFirst())) {
            return aliases.get(fields.getFirst());
        }
        Optional<String> key = tables.key(fields).filter(found -> !found.isEmpty());
        return key.map(LogColumns::attribute)
                .orElseThrow(
                        () -> new LogQueryException("There is no column " + LogSelect.shown(String.join(".", fields))
                                + " in the logs. There are " + LogColumns.NAMES + "."));
    }

    /** {@code log_attributes['key']}. */
    private LogValue element(JsonNode indirection) {
        List<String> fields =
                tables.own(LogTables.fields(indirection.path("arg").path("ColumnRef")));
        JsonNode place = indirection.path("indirection");
        Optional<String> key = textOf(place.path(0).path("A_Indices").path("uidx"));
        if (place.size() != 1 || key.isEmpty() || !fields.equals(List.of("log_attributes"))) {
            throw new LogQueryException("Only log_attributes has elements: log_attributes['request.path'].");
        }
        return LogColumns.attribute(key.get()).asText();
    }

    private LogValue operation(JsonNode operation) {
        String name = LogTables.sval(operation.path("name").path(0));
        return switch (operation.path("kind").asText()) {
            case "AEXPR_OP", "AEXPR_LIKE", "AEXPR_ILIKE" ->
                operation.path("name").size() == 1 ? binary(name, operation) : unsupported(name);
            case "AEXPR_IN" -> conditions.in(operation, name.equals("<>"));
            case "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN" -> conditions.between(operation);
            case "AEXPR_NULLIF" ->
                LogValue.other(SqlFragment.of("nullif(")
                        .append(of(operation.path("lexpr")).sql())
                        .append(", ")
                        .append(of(operation.path("rexpr")).sql())
                        .append(")"));
            default -> unsupported(operation.path("kind").asText());
        };
    }

    private static LogValue unsupported(String name) {
        throw new LogQueryException("The operator " + LogSelect.shown(name) + " is not supported in log queries.");
    }

    private LogValue binary(String name, JsonNode operation) {
        SqlFragment operator = OPERATORS.get(name);
        if (operator == null) {
            return unsupported(name);
        }
        if (name.equals("||") && ++concatenations > MAX_CONCATENATIONS) {
            throw new LogQueryException("A log query joins " + MAX_CONCATENATIONS + " texts at most.");
        }
        LogValue right = of(operation.path("rexpr"));
        if (!operation.has("lexpr")) {
            return name.equals("-") || name.equals("+")
                    ? LogValue.number(group(operator.append(right.asNumber())))
                    : unsupported(name);
        }
        LogValue left = of(operation.path("lexpr"));
        Optional<String> constant = textOf(operation.path("rexpr"));
        if (left.source() && constant.isPresent() && (name.equals("=") || name.equals("<>"))) {
            SqlFragment lines = LogColumns.ofSource(constant.get());
            return LogValue.other(
                    name.equals("=") ? lines : SqlFragment.of("NOT ").append(group(lines)));
        }
        boolean arithmetic =
                ARITHMETIC.contains(name) && left.type() != LogValue.Type.TIME && right.type() != LogValue.Type.TIME;
        boolean numbers = arithmetic
                || COMPARISONS.contains(name)
                        && (left.type() == LogValue.Type.NUMBER || right.type() == LogValue.Type.NUMBER);
        SqlFragment whole = group((numbers ? group(left.asNumber()) : group(left.sql()))
                .append(operator)
                .append(numbers ? group(right.asNumber()) : group(right.sql())));
        if (arithmetic) {
            return LogValue.number(whole);
        }
        boolean time =
                ARITHMETIC.contains(name) && left.type() == LogValue.Type.TIME && right.type() != LogValue.Type.TIME;
        return time ? LogValue.time(whole) : name.equals("||") ? LogValue.text(whole) : LogValue.other(whole);
    }
}
