package svc.realtime.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.database.sql.SqlValue;
import svc.realtime.filter.Comparison;
import svc.realtime.filter.Condition;
import svc.realtime.filter.FilterOperator;

/**
 * Statements that ask PostgreSQL, as a caller, about several changes at once: which rows it sees, and which values pass a
 * filter. Each gives one row with one JSON array. Pure.
 */
final class RowCheck {
    /** Deep enough for what PostgreSQL writes, and numbers stay as they are written. */
    private static final JsonMapper JSON = new JsonMapper();

    private static final SqlTemplate VISIBLE = SqlTemplate.of(
            "SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(:{values})), '[]')::pg_catalog.text FROM ROWS"
                    + " FROM (:{lists}) AS k (:{names}) JOIN :{table} t ON :{condition}");
    private static final SqlFragment PLACES = SqlFragment.of("pg_catalog.unnest(CAST(? AS pg_catalog.int4[]))");

    /** As texts: there are no arrays of arrays. */
    private static final SqlFragment TEXTS = SqlFragment.of("pg_catalog.unnest(CAST(? AS pg_catalog.text[]))");

    private static final SqlTemplate KEY = SqlTemplate.of("t.:\"column\" = CAST(k.:\"key\" AS :{type})");
    private static final SqlTemplate VALUE = SqlTemplate.of("t.:\"column\"");
    private static final SqlTemplate PASSING = SqlTemplate.of(
            "SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(k.i)), '[]')::pg_catalog.text FROM (SELECT l.i,"
                    + " CAST(l.v AS :{type}) AS v FROM ROWS FROM (:{lists}) AS l (i, v)) k WHERE :{condition}");
    private static final SqlTemplate CAST = SqlTemplate.of("k.v:{operator}CAST(? AS :{type})");

    private RowCheck() {}

    /** A statement with its binds. */
    record Statement(SqlFragment sql, List<String> binds) {}

    /** What it has answered: for each place in the question that is true, the values that were asked for, as JSON. */
    record Answer(Map<Integer, List<String>> byPlace) {
        static Answer parse(String json) {
            try {
                Map<Integer, List<String>> byPlace = new HashMap<>();
                for (JsonNode row : JSON.readTree(json)) {
                    List<String> values = new ArrayList<>();
                    for (int i = 1; i < row.size(); i++) {
                        values.add(row.get(i).toString());
                    }
                    byPlace.put(row.get(0).intValue(), values);
                }
                return new Answer(byPlace);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("PostgreSQL's JSON cannot be read", e);
            }
        }
    }

    /**
     * Which rows the caller sees.
     *
     * @param keys of each row the values of the primary key, in its order
     * @param wanted columns whose values are asked for
     */
    static Statement visible(Table table, List<List<String>> keys, List<Table.Column> wanted) {
        List<SqlFragment> lists = new ArrayList<>();
        List<Identifier> names = new ArrayList<>();
        List<SqlFragment> conditions = new ArrayList<>();
        List<SqlFragment> values = new ArrayList<>();
        List<String> binds = new ArrayList<>();
        lists.add(PLACES);
        names.add(Identifier.of("i"));
        values.add(SqlFragment.of("k.i"));
        binds.add(array(places(keys.size())));
        for (int part = 0; part < table.primaryKey().size(); part++) {
            int at = part;
            Table.Column column = table.column(table.primaryKey().get(part)).orElseThrow();
            Identifier key = Identifier.of("k" + part);
            lists.add(TEXTS);
            names.add(key);
            conditions.add(KEY.bind(Map.of(
                    "column", Identifier.of(column.name()),
                    "key", key,
                    "type", column.dataType().sql())));
            binds.add(array(keys.stream().map(row -> row.get(at)).toList()));
        }
        wanted.forEach(column -> values.add(VALUE.bind(Map.of("column", Identifier.of(column.name())))));
        return new Statement(
                VISIBLE.bind(Map.of(
                        "values", SqlFragment.join(", ", values),
                        "lists", SqlFragment.join(", ", lists),
                        "names", SqlFragment.join(", ", names),
                        "table", table.id().sql(),
                        "condition", SqlFragment.join(" AND ", conditions))),
                binds);
    }

    /** Which values pass a condition; null is one. */
    static Statement passing(Comparison comparison, List<Optional<String>> values) {
        List<String> binds = new ArrayList<>();
        binds.add(array(places(values.size())));
        binds.add(nullableArray(values));
        Condition condition = comparison.condition();
        SqlFragment test = test(comparison, binds);
        return new Statement(
                PASSING.bind(Map.of(
                        "lists",
                        SqlFragment.join(", ", List.of(PLACES, TEXTS)),
                        "type",
                        comparison.type().sql(),
                        "condition",
                        condition.negated()
                                ? SqlFragment.of("NOT (").append(test).append(")")
                                : test)),
                binds);
    }

    private static SqlFragment test(Comparison comparison, List<String> binds) {
        Condition condition = comparison.condition();
        FilterOperator operator = condition.operator();
        if (operator == FilterOperator.IS) {
            return switch (condition.values().getFirst()) {
                case "true" -> SqlFragment.of("k.v IS TRUE");
                case "false" -> SqlFragment.of("k.v IS FALSE");
                case "unknown" -> SqlFragment.of("k.v IS UNKNOWN");
                default -> SqlFragment.of("k.v IS NULL");
            };
        }
        if (operator == FilterOperator.IN) {
            binds.add(array(condition.values()));
            return SqlFragment.of("k.v = ANY (CAST(? AS ")
                    .append(comparison.type().sql())
                    .append("[]))");
        }
        binds.add(condition.values().getFirst());
        if (operator.comparesTexts()) {
            return SqlFragment.of("k.v::pg_catalog.text").append(operator.sql()).append("?::pg_catalog.text");
        }
        Map<String, SqlValue> parts =
                Map.of("operator", operator.sql(), "type", comparison.type().sql());
        return CAST.bind(parts);
    }

    private static List<String> places(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private static String array(List<String> values) {
        return nullableArray(values.stream().map(Optional::of).toList());
    }

    /** PostgreSQL's text form of an array of texts. */
    private static String nullableArray(List<Optional<String>> values) {
        var out = new StringBuilder("{");
        for (Optional<String> value : values) {
            if (out.length() > 1) {
                out.append(',');
            }
            value.ifPresentOrElse(
                    text -> out.append('"')
                            .append(text.replace("\\", "\\\\").replace("\"", "\\\""))
                            .append('"'),
                    () -> out.append("NULL"));
        }
        return out.append('}').toString();
    }
}
