package svc.bench.management;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Values of about {@code $n} bytes by the type of an argument, in shapes that cost their functions much: the columns of a table, so
 * that a call does not pay for making them.
 */
final class SampleValues {
    /** How many different shapes there are for the arguments of one function. */
    static final int SHAPES = 4;

    private static final String TEXT = "repeat('a', $n)";
    private static final String TEXT_LIKE = "repeat('a', $n / 2) || 'b'";
    /** Searched from its end, as PostgreSQL does, each place costs its whole length. */
    private static final String TEXT_BEHIND = "'b' || repeat('a', $n / 2)";

    private static final String PATTERN = "repeat('%a', 20) || '%b'";
    private static final String ROWS = "FROM generate_series(1, $n / 4) g)";
    private static final String INTEGERS = "(SELECT array_agg(g) " + ROWS;
    private static final String OTHERS = "(SELECT array_agg(-g) " + ROWS;
    private static final String LEXEMES =
            "(SELECT array_to_tsvector(array_agg('w' || g)) FROM generate_series(1, $n / 10) g)";
    /** Smaller, because reading a large query costs more than what is done with it. */
    private static final String TERMS = "(SELECT string_agg('w' || g, ' & ') FROM generate_series(1, $n / 400) g)";

    private static final String PHRASE = "(SELECT string_agg('v' || g, ' <-> ') FROM generate_series(1, $n / 400) g)";
    private static final String POINTS =
            "(SELECT string_agg(format('(%s,%s)', g, g % 7), ',') FROM generate_series(1, $n / 16) g)";

    private static final String WORDS = "(SELECT string_agg('word' || g % 9, ' ') FROM generate_series(1, $n / 6) g)";
    private static final String XML = "('<r>' || repeat('<b/>', $n / 4) || '</r>')::xml";

    /** One shape for each place of an argument, first, second and later ones; the last shape stands for those that follow. */
    private static final Map<String, List<String>> SHAPES_OF_TYPE = Map.ofEntries(
            Map.entry("text", List.of(TEXT, TEXT_LIKE, TEXT_BEHIND, PATTERN)),
            Map.entry("character", List.of(TEXT, TEXT_LIKE, TEXT)),
            Map.entry("character varying", List.of(TEXT, TEXT_LIKE, TEXT)),
            Map.entry("\"any\"", List.of(TEXT, INTEGERS, TEXT)),
            Map.entry("integer", List.of("($n)", "1", "3")),
            Map.entry("bigint", List.of("($n)::bigint", "1::bigint", "3::bigint")),
            Map.entry("smallint", List.of("1::smallint")),
            Map.entry(
                    "numeric",
                    List.of("repeat('7', least($n, 120000))::numeric", "repeat('3', least($n / 2, 60000))::numeric")),
            Map.entry("double precision", List.of("1.5::float8")),
            Map.entry("real", List.of("1.5::float4")),
            Map.entry("boolean", List.of("true")),
            Map.entry(
                    "bytea",
                    List.of("convert_to(repeat('a', $n), 'UTF8')", "convert_to(repeat('a', $n / 2) || 'b', 'UTF8')")),
            Map.entry("bit", List.of("repeat('1', $n)::bit varying", "(repeat('1', $n / 2) || '0')::bit varying")),
            Map.entry(
                    "bit varying",
                    List.of("repeat('1', $n)::bit varying", "(repeat('1', $n / 2) || '0')::bit varying")),
            Map.entry(
                    "jsonb",
                    List.of(
                            "(SELECT jsonb_agg(g) " + ROWS,
                            "(SELECT jsonb_agg(-g) " + ROWS,
                            "(SELECT jsonb_object_agg(g, g) " + ROWS)),
            Map.entry("json", List.of("(SELECT json_agg(g) " + ROWS, "(SELECT json_object_agg(g, g) " + ROWS)),
            Map.entry("jsonpath", List.of("'$[*] ? (exists($[*] ? (@ == -1)))'::jsonpath", "'$.**'::jsonpath")),
            Map.entry("tsvector", List.of(LEXEMES)),
            Map.entry("tsquery", List.of(TERMS, PHRASE)),
            Map.entry("regconfig", List.of("'simple'::regconfig")),
            Map.entry("anyarray", List.of(INTEGERS, OTHERS)),
            Map.entry("anycompatiblearray", List.of(INTEGERS, OTHERS)),
            Map.entry("anyelement", List.of("-1", INTEGERS)),
            Map.entry("anycompatible", List.of("-1", "-2")),
            Map.entry("integer[]", List.of(INTEGERS, OTHERS)),
            Map.entry("bigint[]", List.of(INTEGERS + "::bigint[]", OTHERS + "::bigint[]")),
            Map.entry("text[]", List.of(INTEGERS + "::text[]", OTHERS + "::text[]")),
            Map.entry("double precision[]", List.of(INTEGERS + "::float8[]")),
            Map.entry("real[]", List.of(INTEGERS + "::float4[]")),
            Map.entry("anyrange", List.of("int4range(1, 9)", "int4range($n, $n + 9)")),
            Map.entry(
                    "anymultirange",
                    List.of(
                            "(SELECT range_agg(int4range(3 * g, 3 * g + 1)) FROM generate_series(1, $n / 12) g)",
                            "(SELECT range_agg(int4range(3 * g + 1, 3 * g + 2)) FROM generate_series(1, $n / 12) g)")),
            Map.entry("path", List.of("('[' || " + POINTS + " || ']')::path", "('(' || " + POINTS + " || ')')::path")),
            Map.entry("polygon", List.of("('(' || " + POINTS + " || ')')::polygon")),
            Map.entry("point", List.of("point(2.5, 100)")),
            Map.entry("box", List.of("box(point(1, 1), point(2, 2))")),
            Map.entry("lseg", List.of("lseg(point(1, 1), point(2, 2))")),
            Map.entry("line", List.of("'{1,2,3}'::line")),
            Map.entry("circle", List.of("circle(point(1, 1), 2)")),
            Map.entry("xml", List.of(XML)),
            Map.entry("interval", List.of("interval '1 day'")),
            Map.entry("date", List.of("date '2000-01-01'", "date '2001-01-01'")),
            Map.entry("timestamp without time zone", List.of("timestamp '2000-01-01'")),
            Map.entry("timestamp with time zone", List.of("timestamptz '2000-01-01Z'")),
            Map.entry("inet", List.of("inet '10.0.0.1'")),
            Map.entry("uuid", List.of("gen_random_uuid()")));

    private static final Map<String, String> COLUMNS = columns();

    /** What reads a language of its own: the arguments that cost most. */
    static final Map<String, List<String>> CALLS_OF_LANGUAGES = Map.of(
            "xpath", List.of("xpath('count(//b[count(//b) = 0])', " + COLUMNS.get(XML) + ")"),
            "xpath_exists", List.of("xpath_exists('//b[count(//b) = 0]', " + COLUMNS.get(XML) + ")"),
            "xmlexists", List.of("pg_catalog.xmlexists('//b[count(//b) = 0]', " + COLUMNS.get(XML) + ")"),
            "textregexeq", List.of(COLUMNS.get(TEXT) + " ~ '(a*)*b'", COLUMNS.get(TEXT) + " ~ '(.*)(.*)\\1\\2c'"),
            "ts_headline",
                    List.of("ts_headline('simple', " + COLUMNS.get(WORDS)
                            + ", 'word1 & word2 & word3', 'MaxFragments=50')"),
            "ts_rank_cd",
                    List.of("ts_rank_cd(to_tsvector('simple', " + COLUMNS.get(WORDS) + "), 'word1 & word2 & word3')"),
            "to_tsvector", List.of("to_tsvector('english', " + COLUMNS.get(WORDS) + ")"));

    private SampleValues() {}

    private static Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        SHAPES_OF_TYPE.values().stream().flatMap(List::stream).sorted().forEach(value -> name(columns, value));
        name(columns, WORDS);
        return columns;
    }

    private static void name(Map<String, String> columns, String value) {
        columns.putIfAbsent(value, "v" + columns.size());
    }

    /** The values of one size, in a table of one row. */
    static String table(int size) {
        String values = COLUMNS.entrySet().stream()
                .map(column -> column.getKey() + " AS " + column.getValue())
                .collect(Collectors.joining(", "));
        return "CREATE TEMP TABLE sample_" + size + " AS SELECT " + values.replace("$n", Integer.toString(size));
    }

    /** A call with arguments of these types; none if there is no value of one of them, or no large one. */
    static Optional<String> call(String function, List<String> types, int shape) {
        List<String> arguments = new ArrayList<>();
        boolean large = false;
        for (int i = 0; i < types.size(); i++) {
            List<String> values = SHAPES_OF_TYPE.getOrDefault(types.get(i), List.of());
            if (values.isEmpty()) {
                return Optional.empty();
            }
            // The first shape is one value in all places; the others differ from place to place.
            String value = values.get(shape == 0 || i == 0 ? 0 : Math.min(shape, values.size() - 1));
            large |= value.contains("$n");
            // No large query of a text search fits into a row.
            arguments.add(COLUMNS.get(value) + (types.get(i).equals("tsquery") ? "::tsquery" : ""));
        }
        return large ? Optional.of(function + "(" + String.join(", ", arguments) + ")") : Optional.empty();
    }
}
