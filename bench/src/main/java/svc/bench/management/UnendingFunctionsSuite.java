package svc.bench.management;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Figure;
import svc.bench.measure.Suite;
import svc.database.shared.SharedDatabaseHardening;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * Which of the functions that a project's owner may call compute for more than a second of processor time, with up to 1 MB in
 * each argument, although their statement was cancelled after a tenth of one. A new one is taken off the list of allowed
 * functions, or gets a line in {@code functions-without-cancellation.txt}.
 */
public final class UnendingFunctionsSuite implements Suite {
    private static final String KNOWN = "functions-without-cancellation.txt";

    /** Types of many parts: what compares those of one argument with those of another costs the product. */
    private static final Predicate<String> OF_PARTS = Pattern.compile(
                    ".*array|.*\\[]|text|bytea|jsonb|tsvector|tsquery|bit|path|polygon|xml|anymultirange")
            .asMatchPredicate();

    private static final String ALLOWED = """
            SELECT p.proname, array_remove(string_to_array(
                (SELECT string_agg(format_type(t, NULL), ';' ORDER BY i)
                 FROM unnest(p.proargtypes) WITH ORDINALITY a (t, i)), ';'), NULL), p.proretset
            FROM pg_proc p
            WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.pronargs > 0
              AND has_function_privilege('%s', p.oid, 'EXECUTE')
            ORDER BY p.oid""";

    @Override
    public String name() {
        return "unending-functions";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            String schema =
                    platform.controlPlane().create("functions").get("schema").asText();
            try (Connection session = BenchDatabase.of(platform).connect()) {
                return measure(session, schema);
            }
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static List<Figure> measure(Connection session, String schema) throws SQLException, IOException {
        List<Function> functions;
        try (Statement statement = session.createStatement()) {
            // As superuser: an owner cannot ask for the privileges of a function.
            functions = allowed(statement, schema + "_owner");
            statement.execute("SET SESSION AUTHORIZATION \"" + schema + "_owner\"");
        }
        var calls = new CancelledCalls(session);
        Set<String> unending = new TreeSet<>();
        for (Function function : functions) {
            for (String call : function.calls()) {
                if (!unending.contains(function.name()) && calls.isUnending(call)) {
                    System.err.println("no cancellation ends " + call);
                    unending.add(function.name());
                }
            }
        }
        Set<String> unknown = new TreeSet<>(unending);
        unknown.removeAll(known());
        unknown.forEach(name -> System.err.println("not in " + KNOWN + ": " + name));
        return List.of(
                Figure.watched("functions measured", functions.size(), ""),
                Figure.watched("functions that no cancellation ends", unending.size(), ""),
                Figure.atMost("of them not in " + KNOWN, unknown.size(), "", 0));
    }

    private record Function(String name, List<String> types, boolean returnsSet) {
        boolean joinsParts() {
            return SampleValues.CALLS_OF_LANGUAGES.containsKey(name)
                    || types.stream().filter(OF_PARTS).count() > 1;
        }

        List<String> calls() {
            List<String> calls = new ArrayList<>();
            for (int shape = 0; shape < SampleValues.SHAPES; shape++) {
                SampleValues.call("pg_catalog.\"" + name + "\"", types, shape)
                        .filter(call -> !calls.contains(call))
                        .ifPresent(calls::add);
            }
            calls.addAll(SampleValues.CALLS_OF_LANGUAGES.getOrDefault(name, List.of()));
            return calls.stream()
                    .map(call -> returnsSet
                            ? "SELECT count(*) FROM sample_$n, " + call
                            : "SELECT (" + call + ") IS NULL FROM sample_$n")
                    .toList();
        }
    }

    private static List<Function> allowed(Statement statement, String owner) throws SQLException {
        List<Function> functions = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(ALLOWED.formatted(owner))) {
            while (rows.next()) {
                var function = new Function(
                        rows.getString(1), List.of((String[]) rows.getArray(2).getArray()), rows.getBoolean(3));
                if (function.joinsParts()) {
                    functions.add(function);
                }
            }
        }
        return functions;
    }

    private static Set<String> known() {
        try (InputStream stream = SharedDatabaseHardening.class.getResourceAsStream(KNOWN)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.contains(":") && !line.startsWith("#"))
                    .map(line -> line.substring(0, line.indexOf(':')))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + KNOWN, e);
        }
    }
}
