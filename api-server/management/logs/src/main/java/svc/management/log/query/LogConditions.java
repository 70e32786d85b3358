package svc.management.log.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.database.sql.SqlFragment;

/** Conditions of a log query: IN, BETWEEN, AND, OR, NOT, CASE and COALESCE. */
final class LogConditions {
    private final LogExpressions expressions;

    LogConditions(LogExpressions expressions) {
        this.expressions = expressions;
    }

    LogValue in(JsonNode operation, boolean not) {
        LogValue left = expressions.of(operation.path("lexpr"));
        List<SqlFragment> lines = new ArrayList<>();
        List<SqlFragment> texts = new ArrayList<>();
        List<SqlFragment> numbers = new ArrayList<>();
        for (JsonNode item : operation.path("rexpr").path("List").path("items")) {
            Optional<String> constant = LogExpressions.textOf(item);
            if (left.source() && constant.isPresent()) {
                lines.add(LogColumns.ofSource(constant.get()));
            } else {
                LogValue value = expressions.of(item);
                (value.type() == LogValue.Type.NUMBER ? numbers : texts).add(value.sql());
            }
        }
        if (!texts.isEmpty()) {
            lines.add(among(left.sql(), texts));
        }
        if (!numbers.isEmpty()) {
            lines.add(among(left.asNumber(), numbers));
        }
        if (lines.isEmpty()) {
            throw new LogQueryException("IN takes a list of constants.");
        }
        SqlFragment any = LogExpressions.group(SqlFragment.join(" OR ", lines));
        return LogValue.other(not ? SqlFragment.of("NOT ").append(any) : any);
    }

    private static SqlFragment among(SqlFragment value, List<SqlFragment> constants) {
        return LogExpressions.group(value)
                .append(" IN (")
                .append(SqlFragment.join(", ", constants))
                .append(")");
    }

    LogValue between(JsonNode operation) {
        LogValue value = expressions.of(operation.path("lexpr"));
        JsonNode bounds = operation.path("rexpr").path("List").path("items");
        LogValue from = expressions.of(bounds.path(0));
        LogValue to = expressions.of(bounds.path(1));
        boolean numbers = from.type() == LogValue.Type.NUMBER;
        SqlFragment tested = numbers ? value.asNumber() : value.sql();
        boolean not = operation.path("kind").asText().equals("AEXPR_NOT_BETWEEN");
        return LogValue.other(LogExpressions.group(LogExpressions.group(tested)
                .append(not ? SqlFragment.of(" NOT BETWEEN ") : SqlFragment.of(" BETWEEN "))
                .append(LogExpressions.group(from.sql()))
                .append(" AND ")
                .append(LogExpressions.group(to.sql()))));
    }

    LogValue logic(JsonNode logic) {
        List<SqlFragment> parts = new ArrayList<>();
        logic.path("args")
                .forEach(part ->
                        parts.add(LogExpressions.group(expressions.of(part).sql())));
        return LogValue.other(
                switch (logic.path("boolop").asText()) {
                    case "AND_EXPR" -> LogExpressions.group(SqlFragment.join(" AND ", parts));
                    case "OR_EXPR" -> LogExpressions.group(SqlFragment.join(" OR ", parts));
                    default -> SqlFragment.of("(NOT ").append(parts.getFirst()).append(")");
                });
    }

    LogValue coalesce(JsonNode call) {
        List<LogValue> parts = new ArrayList<>();
        call.path("args").forEach(part -> parts.add(expressions.of(part)));
        boolean numbers = parts.stream().anyMatch(part -> part.type() == LogValue.Type.NUMBER);
        SqlFragment sql = SqlFragment.of("coalesce(")
                .append(SqlFragment.join(
                        ", ",
                        parts.stream()
                                .map(part -> numbers ? part.asNumber() : part.sql())
                                .toList()))
                .append(")");
        return numbers ? LogValue.number(sql) : LogValue.other(sql);
    }

    /** {@code if(condition, value, other)} and {@code multiIf(condition, value, …, other)} of ClickHouse. */
    LogValue choice(String name, List<JsonNode> args) {
        if (args.size() < 3 || args.size() % 2 == 0 || name.equals("if") && args.size() != 3) {
            throw new LogQueryException(
                    "Write if(condition, value, other) or multiIf(condition, value, …, other) in a log query.");
        }
        List<SqlFragment> tested = new ArrayList<>();
        List<LogValue> values = new ArrayList<>();
        for (int place = 0; place < args.size(); place++) {
            LogValue part = expressions.of(args.get(place));
            if (place % 2 == 0 && place + 1 < args.size()) {
                tested.add(part.sql());
            } else {
                values.add(part);
            }
        }
        boolean numbers = values.stream().anyMatch(value -> value.type() == LogValue.Type.NUMBER);
        List<SqlFragment> results = values.stream()
                .map(value -> numbers ? value.asNumber() : value.sql())
                .toList();
        SqlFragment sql = SqlFragment.of("(CASE");
        for (int place = 0; place < tested.size(); place++) {
            sql = sql.append(" WHEN ")
                    .append(tested.get(place))
                    .append(" THEN ")
                    .append(results.get(place));
        }
        sql = sql.append(" ELSE ").append(results.getLast()).append(" END)");
        return numbers ? LogValue.number(sql) : LogValue.other(sql);
    }

    LogValue cases(JsonNode cases) {
        if (cases.has("arg")) {
            throw new LogQueryException(
                    "Write CASE WHEN <condition> THEN …: CASE <value> is not supported in log queries.");
        }
        SqlFragment sql = SqlFragment.of("CASE");
        for (JsonNode when : cases.path("args")) {
            sql = sql.append(" WHEN ")
                    .append(expressions.of(when.path("CaseWhen").path("expr")).sql())
                    .append(" THEN ")
                    .append(expressions.of(when.path("CaseWhen").path("result")).sql());
        }
        if (cases.has("defresult")) {
            sql = sql.append(" ELSE ")
                    .append(expressions.of(cases.get("defresult")).sql());
        }
        return LogValue.other(LogExpressions.group(sql.append(" END")));
    }
}
