package svc.bench.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.bench.measure.Duel;
import svc.bench.measure.Exchange;
import svc.bench.measure.Figure;
import svc.bench.measure.Measured;
import svc.bench.measure.PeerServer;
import svc.bench.measure.Suite;
import svc.bench.measure.Tool;
import svc.e2e.platform.Answer;

/**
 * The GraphQL API: under load against PostGraphile, on the same tables of the same server; and the first answer to a role
 * whose schema is not built yet.
 */
public final class GraphqlSuite implements Suite {
    private static final int SCHEMAS = 5;

    @Override
    public String name() {
        return "graphql";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Tool> wrk = Tool.find("wrk");
        Optional<Tool> npm = Tool.find("npm");
        if (wrk.isEmpty() || npm.isEmpty()) {
            System.err.println(
                    "graphql: skipped, it needs wrk and npm (Debian: apt-get install wrk npm), the load and what"
                            + " installs the peer PostGraphile");
            return List.of();
        }
        Path modules = Postgraphile.install(npm.get());
        return RestProjects.measure(wrk.get(), (platform, projects, work) -> {
            JsonNode project = projects.create(GraphqlExchange.TABLES);
            var figures = new ArrayList<>(againstPostgraphile(projects, project, modules, work));
            figures.addAll(schemas(projects));
            return figures;
        });
    }

    private static List<Figure> againstPostgraphile(RestProjects projects, JsonNode project, Path modules, Path work)
            throws Exception {
        String schema = project.get("schema").asText();
        String database = projects.database().addPeer("bench_graphile", schema);
        Path callers = projects.callers("graphql", List.of(project));
        var figures = new ArrayList<Figure>();
        try (var peer = Postgraphile.start(modules, database, schema, work.resolve("postgraphile.log"))) {
            List<GraphqlExchange> equal = new ArrayList<>();
            for (GraphqlExchange exchange : GraphqlExchange.ALL) {
                Optional<String> difference = difference(projects, project, peer, exchange);
                if (difference.isEmpty()) {
                    equal.add(exchange);
                } else {
                    System.err.println(exchange.name() + " is answered differently: " + difference.get());
                    figures.add(Figure.notComparable(
                            exchange.name(),
                            "1/s",
                            Postgraphile.NAME,
                            exchange.asked().leastRatio()));
                }
            }
            for (int i = 0; i < RestSuite.WARM_UP_RUNS; i++) {
                for (GraphqlExchange exchange : equal) {
                    projects.runWhole(callers, exchange.asked());
                    projects.runPeer(peer, exchange.askedOfPeer());
                }
            }
            for (GraphqlExchange exchange : equal) {
                String name = exchange.name() + ", " + RestProjects.CONNECTIONS + " connections";
                Duel duel = Duel.of(
                        () -> projects.runWhole(callers, exchange.asked()),
                        () -> projects.runPeer(peer, exchange.askedOfPeer()));
                figures.add(duel.throughput(
                        name, Postgraphile.NAME, exchange.asked().leastRatio()));
                figures.add(duel.latency(name, Postgraphile.NAME, 1));
            }
        }
        return figures;
    }

    private static Optional<String> difference(
            RestProjects projects, JsonNode project, PeerServer peer, GraphqlExchange exchange) throws IOException {
        Answer ours = projects.send(project, "", exchange.asked().withKey(7));
        Answer theirs = RestProjects.send(peer, exchange.askedOfPeer().withKey(7));
        boolean same = ours.status() == theirs.status()
                && ours.json().path("data").isObject()
                && comparable(ours).equals(comparable(theirs));
        return same ? Optional.empty() : Optional.of(ours + " and " + theirs);
    }

    /** PostGraphile inserts one row and answers it alone; we answer a list. */
    private static JsonNode comparable(Answer answer) {
        JsonNode records = answer.json().at("/data/made/records");
        return records.isArray()
                ? records.get(0)
                : records.isObject() ? records : answer.json().path("data");
    }

    private static List<Figure> schemas(RestProjects projects) throws IOException {
        var figures = new ArrayList<Figure>();
        figures.addAll(schemas(projects, 200, 50));
        figures.addAll(schemas(projects, 2_000, 500));
        return figures;
    }

    /** The median of several projects; the catalog is loaded before, as REST and others load it too. */
    private static List<Figure> schemas(RestProjects projects, int tables, double limit) throws IOException {
        List<Measured> built = new ArrayList<>();
        List<Measured> introspected = new ArrayList<>();
        List<Measured> again = new ArrayList<>();
        Exchange catalog = new Exchange("", "GET", "/rest/v1/thing_1", 1, Optional.empty(), 0);
        Exchange query = body("{\"query\":\"{ thing1Collection { edges { node { id } } } }\"}");
        Exchange introspection = body("{\"query\":\"{ __schema { types { name fields { name args { name }"
                + " type { name ofType { name } } } inputFields { name } } } }\"}");
        for (int i = 0; i < SCHEMAS; i++) {
            JsonNode project = projects.create(tables(tables));
            projects.send(project, "", catalog).expect(200);
            built.add(millis(projects, project, query));
            introspected.add(millis(projects, project, introspection));
            again.add(millis(projects, project, introspection));
        }
        String of = ", " + tables + " tables";
        return List.of(
                Figure.atMost("GraphQL schema built, first answer" + of, median(built), "ms", limit),
                Figure.watched("GraphQL introspection, first" + of, median(introspected), "ms"),
                Figure.watched("GraphQL introspection, cached" + of, median(again), "ms"));
    }

    private static Exchange body(String text) {
        return new Exchange("", "POST", "/graphql/v1", 1, Optional.of(text), 0);
    }

    private static double median(List<Measured> runs) {
        return Measured.median(runs).p99Millis();
    }

    private static Measured millis(RestProjects projects, JsonNode project, Exchange exchange) throws IOException {
        long began = System.nanoTime();
        Answer answer = projects.send(project, "", exchange);
        double millis = (System.nanoTime() - began) / 1e6;
        if (!answer.expect(200).json().path("data").isObject()) {
            throw new IOException("no data: " + answer);
        }
        return new Measured(0, millis);
    }

    private static String tables(int count) {
        return """
                DO $$ BEGIN FOR i IN 1..%d LOOP
                    EXECUTE format('CREATE TABLE thing_%%s (id int PRIMARY KEY, parent_id int %%s, name text, note text,
                        amount numeric, made timestamptz, tags text[], doc jsonb, flag boolean, size bigint)', i,
                        CASE WHEN i > 1 THEN format('REFERENCES thing_%%s', i - 1) ELSE '' END);
                END LOOP; END $$
                """.formatted(count);
    }
}
