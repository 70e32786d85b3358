package svc.bench.management;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.database.name.ProjectNames;
import svc.database.platform.PlatformSchema;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.process.Folders;
import svc.management.log.LogStore;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.pool.PoolSettings;

/** The logs of projects: lines that one writer stores in a second, and queries over a million lines of one project. */
public final class LogsSuite implements Suite {
    private static final int BATCH = 500;
    private static final int WARM_UP = 40;
    private static final int BATCHES = 200;
    private static final int LINES = 1_000_000;
    private static final int RUNS = 7;
    private static final double LINES_PER_SECOND = 5_000;
    private static final double LIMIT_MILLIS = 300;

    /** As many lines of a neighbour beside them. */
    private static final String FILL = """
            INSERT INTO svc_platform.project_log (project_id, at, source, severity, status, duration_us, bytes, method, path,
                user_agent, request_id)
            SELECT p.id, now() - i * interval '80 ms', 1, 1, CASE WHEN i %% 50 = 0 THEN 500 ELSE 200 END, 1000 + i %% 5000, 300,
                   'GET', '/rest/v1/table_' || i %% 20, 'an agent of the usual length of a browser''s', md5(i::text)
            FROM generate_series(1, %d) AS i, (VALUES ('%s'::uuid), ('%s'::uuid)) AS p(id)
            """;

    /** As autovacuum does within a minute. */
    private static final String VACUUM = "VACUUM (ANALYZE) svc_platform.project_log";

    @Override
    public String name() {
        return "logs";
    }

    @Override
    public List<Figure> run() throws Exception {
        List<Figure> figures = new ArrayList<>();
        figures.add(ingest());
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            figures.addAll(queries(platform));
        } finally {
            Folders.deleteRecursively(data);
        }
        return figures;
    }

    /** One thread writes; PostgreSQL works meanwhile, never both at once. */
    private static Figure ingest() throws Exception {
        EmbeddedPostgres server = EmbeddedPostgres.shared();
        String name = server.createDatabase("bench_logs");
        PlatformSchema.migrate(server.dataSource(name));
        try (Connection connection = server.connect(name);
                var statement = connection.createStatement()) {
            statement.execute("ALTER ROLE svc_platform PASSWORD 'bench'");
        }
        try (var database = new PlatformDatabase(server.jdbcUrl(name), () -> "bench", PoolSettings.defaults())) {
            var store = LogStore.of(database, Clock.systemUTC());
            write(store, WARM_UP);
            long begun = System.nanoTime();
            write(store, BATCHES);
            double seconds = (System.nanoTime() - begun) / 1e9;
            return Figure.atLeast(
                    "log lines stored by one writer", BATCH * BATCHES / seconds, "lines/s", LINES_PER_SECOND);
        }
    }

    private static void write(LogStore store, int batches) {
        List<UUID> projects = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
        for (int batch = 0; batch < batches; batch++) {
            List<String> lines = new ArrayList<>(BATCH);
            for (int i = 0; i < BATCH; i++) {
                lines.add(
                        ("{\"p\":\"%s\",\"s\":1,\"v\":1,\"t\":%d,\"r\":\"0123456789abcdef0123456789abcdef\",\"q\":\"GET\","
                                        + "\"h\":\"/rest/v1/todos_%d\",\"c\":200,\"d\":1500,\"b\":300,"
                                        + "\"u\":\"an agent of the usual length of a browser's\"}")
                                .formatted(projects.get(i % 4), Instant.now().toEpochMilli() * 1_000, i % 20));
            }
            store.add("[" + String.join(",", lines) + "]");
        }
    }

    private static List<Figure> queries(Platform platform) throws Exception {
        var project = platform.controlPlane().create("bench");
        String ref = project.get("ref").asText();
        UUID id = ProjectNames.projectIdOf(project.get("schema").asText()).orElseThrow();
        BenchDatabase database = BenchDatabase.of(platform);
        database.execute(FILL.formatted(LINES, id, UUID.randomUUID()));
        database.execute(VACUUM);
        return List.of(
                query(
                        platform,
                        ref,
                        "newest 100",
                        "select id, timestamp, event_message,"
                                + " log_attributes['response.status_code'] as status from logs where source = 'edge_logs'"
                                + " order by timestamp desc limit 100"),
                query(
                        platform,
                        ref,
                        "errors by path",
                        "select log_attributes['request.path'] as path, count(*) as errors from logs"
                                + " where toInt32OrZero(log_attributes['response.status_code']) >= 500 group by path order by errors desc"),
                query(
                        platform,
                        ref,
                        "calls and mean time by hour",
                        "select toStartOfHour(timestamp) as hour, count(*) as calls,"
                                + " avg(duration_ms) as mean from logs where source = 'edge_logs' group by hour order by hour"));
    }

    private static Figure query(Platform platform, String ref, String what, String sql) throws Exception {
        String path =
                "/projects/" + ref + "/analytics/endpoints/logs?sql=" + URLEncoder.encode(sql, StandardCharsets.UTF_8);
        List<Duration> times = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            long begun = System.nanoTime();
            platform.controlPlane().get(path).expect(200);
            if (run >= 2) {
                times.add(Duration.ofNanos(System.nanoTime() - begun));
            }
        }
        return Figure.atMost(
                "log query over 1 million lines, " + what + ", p50",
                Samples.of(times).median(),
                "ms",
                LIMIT_MILLIS);
    }
}
