package svc.bench.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.BenchTables;
import svc.bench.measure.Duel;
import svc.bench.measure.Exchange;
import svc.bench.measure.Figure;
import svc.bench.measure.Measured;
import svc.bench.measure.PeerServer;
import svc.bench.measure.Suite;
import svc.bench.measure.Tool;
import svc.e2e.platform.Platform;

/**
 * The REST API under load: against PostgREST on the same tables of the same server; against pgbench, which runs the
 * statements of the same transaction one round trip each; and one project against many in rotation. pgbench does not clean
 * its session between two readers, as the platform must: that is on us.
 */
public final class RestSuite implements Suite {
    public static final int WARM_UP_RUNS = 5;
    private static final double MIN_SHARE_OF_PGBENCH = 0.8;
    private static final double MIN_SHARE_IN_ROTATION = 0.8;
    public static final int SOME_PROJECTS = 100;
    private static final int MANY_PROJECTS = 1000;
    public static final List<Exchange> EXCHANGES =
            List.of(Exchange.READ_BY_KEY, Exchange.LIST, Exchange.TWO_EMBEDS, Exchange.SCALAR_CALL, Exchange.INSERT);

    @Override
    public String name() {
        return "rest";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Tool> wrk = Tool.find("wrk");
        Optional<Tool> pgbench = Tool.find("pgbench");
        Optional<Tool> npm = Tool.find("npm");
        if (wrk.isEmpty() || pgbench.isEmpty() || npm.isEmpty()) {
            missing(wrk, "wrk (Debian: apt-get install wrk), the load");
            missing(pgbench, "pgbench (Debian: apt-get install postgresql-contrib), a peer");
            missing(npm, "npm (Debian: apt-get install npm), which installs the peer PostgREST");
            return List.of();
        }
        Path program = Postgrest.install(npm.get());
        return RestProjects.measure(
                wrk.get(), (platform, projects, work) -> measure(platform, projects, work, program, pgbench.get()));
    }

    private static List<Figure> measure(Platform platform, RestProjects projects, Path work, Path program, Tool pgbench)
            throws Exception {
        JsonNode project = projects.create(BenchTables.all());
        var figures = new ArrayList<Figure>();
        Path callers = projects.callers("one", List.of(project));
        Duel.Side read = () -> projects.run(callers, Exchange.READ_BY_KEY);
        figures.addAll(againstPostgrest(projects, project, callers, program, work));
        figures.add(againstPgbench(BenchDatabase.of(platform), project, read, pgbench, work));
        figures.addAll(insertAgainstPgbench(
                BenchDatabase.of(platform), project, () -> projects.run(callers, Exchange.INSERT), pgbench, work));
        figures.addAll(inRotation(projects, read));
        return figures;
    }

    private static List<Figure> againstPostgrest(
            RestProjects projects, JsonNode project, Path callers, Path program, Path work) throws Exception {
        String schema = project.get("schema").asText();
        String database = projects.database().addPeer("bench_authenticator", schema);
        var figures = new ArrayList<Figure>();
        try (PeerServer peer = Postgrest.start(program, database, schema, work.resolve("postgrest.log"))) {
            // What is compiled while it runs has to be compiled first, or the first figure is of another program than
            // the
            // last; the peer has been.
            for (int i = 0; i < WARM_UP_RUNS; i++) {
                for (Exchange exchange : EXCHANGES) {
                    projects.run(callers, exchange);
                }
            }
            for (Exchange exchange : EXCHANGES) {
                String name = exchange.name() + ", " + RestProjects.CONNECTIONS + " connections";
                Optional<String> difference = projects.difference(project, peer, exchange);
                if (difference.isPresent()) {
                    System.err.println(exchange.name() + " is answered differently: " + difference.get());
                    figures.add(Figure.notComparable(name, "1/s", Postgrest.NAME, exchange.leastRatio()));
                    continue;
                }
                Duel duel = Duel.of(() -> projects.run(callers, exchange), () -> projects.runPeer(peer, exchange));
                figures.add(duel.throughput(name, Postgrest.NAME, exchange.leastRatio()));
                figures.add(duel.latency(name, Postgrest.NAME, 1));
            }
        }
        return figures;
    }

    private static Figure againstPgbench(
            BenchDatabase database, JsonNode project, Duel.Side read, Tool pgbench, Path work) throws Exception {
        Path script = Files.writeString(
                work.resolve("read.sql"),
                BenchTables.readByKey(project.get("schema").asText()));
        return Duel.of(read, () -> pgbench(database, pgbench, script))
                .throughput(
                        Exchange.READ_BY_KEY.name() + " and its statements one by one",
                        "pgbench",
                        MIN_SHARE_OF_PGBENCH);
    }

    /** What PostgreSQL itself does of inserts on this machine, with nothing before it. */
    private static List<Figure> insertAgainstPgbench(
            BenchDatabase database, JsonNode project, Duel.Side insert, Tool pgbench, Path work) throws Exception {
        String schema = project.get("schema").asText();
        Path whole = Files.writeString(work.resolve("insert.sql"), BenchTables.insert(schema));
        Path bare = Files.writeString(work.resolve("bare-insert.sql"), BenchTables.bareInsert(schema));
        return List.of(
                insertAgainst("its statements one by one", insert, () -> pgbench(database, pgbench, whole)),
                insertAgainst("a bare INSERT", insert, () -> pgbench(database, pgbench, bare)));
    }

    private static Figure insertAgainst(String what, Duel.Side insert, Duel.Side peer) throws Exception {
        Duel duel = Duel.of(insert, peer);
        return Figure.watchedBeside(
                Exchange.INSERT.name() + ", and " + what,
                duel.ours().perSecond(),
                "1/s",
                "pgbench",
                duel.peer().perSecond());
    }

    private static Measured pgbench(BenchDatabase database, Tool pgbench, Path script) throws IOException {
        return database.pgbench(pgbench, script, RestProjects.CONNECTIONS, RestProjects.SECONDS);
    }

    /** The pool's cap is the default, 100 connections: fewer than the second number of projects asks for. */
    private static List<Figure> inRotation(RestProjects projects, Duel.Side one) throws Exception {
        List<JsonNode> all = new ArrayList<>();
        for (int i = 0; i < MANY_PROJECTS; i++) {
            all.add(projects.create(BenchTables.item()));
        }
        Path some = projects.callers("some", all.subList(0, SOME_PROJECTS));
        Path many = projects.callers("many", all);
        Duel few = Duel.of(() -> projects.run(some, Exchange.READ_BY_KEY), one);
        Duel crowd = Duel.of(() -> projects.run(many, Exchange.READ_BY_KEY), one);
        return List.of(
                few.throughput(
                        "REST read by key, %d projects in rotation".formatted(SOME_PROJECTS),
                        "one project",
                        MIN_SHARE_IN_ROTATION),
                Figure.watchedBeside(
                        "REST read by key, %d projects, 100 connections".formatted(MANY_PROJECTS),
                        crowd.ours().perSecond(),
                        "1/s",
                        "one project",
                        crowd.peer().perSecond()));
    }

    private static void missing(Optional<Tool> tool, String what) throws IOException {
        if (tool.isEmpty()) {
            System.err.println("rest: skipped, there is no " + what);
        }
    }
}
