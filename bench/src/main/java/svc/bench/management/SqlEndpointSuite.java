package svc.bench.management;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * The SQL endpoint against psql, which runs the same text on the same server, on a connection of its own and in one
 * transaction. Both sides in turns; psql's own start counts for it, as the endpoint's HTTP, audit and gate count for it.
 */
public final class SqlEndpointSuite implements Suite {
    private static final int BYTES = 2_000;
    private static final int WARM_UP_PROJECTS = 3;
    private static final int PROJECTS = 8;

    /** Of each project, below the endpoint's 30 a minute. */
    private static final int RUNS = 25;

    private static final double LIMIT_MILLIS = 15;

    @Override
    public String name() {
        return "sql-endpoint";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Path> psql = psql();
        if (psql.isEmpty()) {
            System.err.println(
                    "sql-endpoint: skipped, there is no psql on the PATH (Debian: apt-get install postgresql-client)");
            return List.of();
        }
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            return compare(platform, psql.get());
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static List<Figure> compare(Platform platform, Path psql) throws Exception {
        var endpoint = new ArrayList<Duration>();
        var peer = new ArrayList<Duration>();
        String script = script();
        for (int i = 0; i < WARM_UP_PROJECTS + PROJECTS; i++) {
            boolean counts = i >= WARM_UP_PROJECTS;
            var project = platform.controlPlane().create("bench " + i);
            String ref = project.get("ref").asText();
            Path file = Files.writeString(
                    platform.data().resolve("migration.sql"),
                    asOwner(project.get("schema").asText(), script));
            for (int run = 0; run < RUNS; run++) {
                Duration ours =
                        timed(() -> platform.controlPlane().query(ref, script).expect(201));
                Duration theirs = timed(() -> psql(platform.data(), psql, file));
                if (counts && run > 0) {
                    endpoint.add(ours);
                    peer.add(theirs);
                }
            }
        }
        double ours = Samples.of(endpoint).median();
        double theirs = Samples.of(peer).median();
        return List.of(
                Figure.atMost("SQL endpoint over psql, 2 KB migration, p50", ours - theirs, "ms", LIMIT_MILLIS),
                Figure.watched("SQL endpoint, 2 KB migration, p50", ours, "ms"),
                Figure.watched("psql on a fresh connection, 2 KB migration, p50", theirs, "ms"));
    }

    /** Without the names that the endpoint maps for its caller, so that both sides run the same text. */
    private static String script() {
        return SampleMigration.ofBytes(BYTES)
                .replace("public.", "")
                .lines()
                .filter(line -> !line.contains("POLICY") && !line.startsWith("GRANT"))
                .collect(Collectors.joining("\n"));
    }

    private static String asOwner(String schema, String script) {
        return "SET SESSION AUTHORIZATION " + schema + "_owner; SET search_path = " + schema
                + ", svc_views, pg_catalog, extensions;\n" + script;
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Duration timed(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void psql(Path data, Path psql, Path file) throws Exception {
        Path postgres = data.resolve("postgres");
        String port = Files.readAllLines(postgres.resolve("data/postmaster.pid"))
                .get(3)
                .strip();
        var builder = new ProcessBuilder(
                        psql.toString(),
                        "--no-psqlrc",
                        "--quiet",
                        "--single-transaction",
                        "--set=ON_ERROR_STOP=1",
                        "--file=" + file,
                        "--host=127.0.0.1",
                        "--port=" + port,
                        "--username=svc_operator",
                        "svc")
                .redirectErrorStream(true);
        builder.environment()
                .put(
                        "PGPASSWORD",
                        Files.readString(postgres.resolve("operator.password")).strip());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("psql failed: " + output);
        }
    }

    private static Optional<Path> psql() {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, "psql"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
