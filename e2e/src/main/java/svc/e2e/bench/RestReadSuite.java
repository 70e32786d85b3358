package svc.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * Rows read by key over HTTP, against pgbench, which runs the statements of the same transaction one round trip each on
 * as many connections. pgbench does not clean its session between two readers, as the platform must: that is on us.
 */
final class RestReadSuite implements Suite {
    private static final int CONNECTIONS = 32;
    private static final int ROWS = 1000;
    private static final int RUNS = 5;
    private static final int SECONDS = 3;
    private static final double LEAST_RATIO = 0.5;
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    @Override
    public String name() {
        return "rest-read";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Path> pgbench = pgbench();
        if (pgbench.isEmpty()) {
            System.err.println("rest-read: skipped, there is no pgbench on the PATH or in /usr/lib/postgresql/*/bin");
            return List.of();
        }
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            return List.of(compare(platform, pgbench.get()));
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static Figure compare(Platform platform, Path pgbench) throws Exception {
        JsonNode project = platform.controlPlane().create("bench");
        String ref = project.get("ref").asText();
        platform.controlPlane()
                .query(
                        ref,
                        "CREATE TABLE item (id int PRIMARY KEY, title text); INSERT INTO item SELECT n, 'item ' || n"
                                + " FROM generate_series(1, " + ROWS + ") AS n; NOTIFY pgrst, 'reload schema'")
                .expect(201);
        URI url = URI.create(platform.connection().pathUrl(ref));
        var http = new HttpLoad(
                url,
                url.getPath() + "/rest/v1/item?select=id,title&id=eq.%d",
                project.get("anon_key").asText(),
                ROWS,
                CONNECTIONS);
        Path script = Files.writeString(
                platform.data().resolve("read.sql"),
                statements(project.get("schema").asText()));
        // Both sides warm: compiled code, open connections, pages in memory.
        http.run(Duration.ofSeconds(2L * SECONDS));
        http.run(Duration.ofSeconds(SECONDS));
        List<double[]> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(new double[] {http.run(Duration.ofSeconds(SECONDS)), peer(platform.data(), pgbench, script)});
        }
        // The run in the middle by ratio, with both of its own values.
        runs.sort((a, b) -> Double.compare(a[0] / a[1], b[0] / b[1]));
        double[] median = runs.get(RUNS / 2);
        return Figure.againstPeer(
                "REST read by key, " + CONNECTIONS + " connections",
                median[0],
                "1/s",
                "pgbench",
                median[1],
                LEAST_RATIO);
    }

    /** What PostgreSQL is sent for one read, with the values that belong to it. */
    private static String statements(String schema) {
        return """
                \\set id random(1, %2$d)
                BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
                SELECT pg_catalog.set_config('search_path', '%1$s, svc_views, pg_catalog, extensions', true), \
                pg_catalog.set_config('role', '%1$s_anon', true), \
                pg_catalog.set_config('request.jwt.claims', '{"role":"anon"}', true), \
                pg_catalog.set_config('request.method', 'GET', true), \
                pg_catalog.set_config('request.path', '/item', true), \
                pg_catalog.set_config('request.headers', '{"host":"127.0.0.1"}', true);
                SELECT NULL, pg_catalog.count(*), COALESCE((pg_catalog.json_agg(t))::pg_catalog.text, '[]') \
                FROM (SELECT item.id AS id, item.title AS title FROM %1$s.item WHERE (item.id = :id) LIMIT 1000) t;
                COMMIT;
                """.formatted(schema, ROWS);
    }

    private static double peer(Path data, Path pgbench, Path script) throws Exception {
        Path postgres = data.resolve("postgres");
        String port = Files.readAllLines(postgres.resolve("data/postmaster.pid"))
                .get(3)
                .strip();
        var builder = new ProcessBuilder(
                        pgbench.toString(),
                        "-n",
                        "--protocol=prepared",
                        "--client=" + CONNECTIONS,
                        "--jobs=2",
                        "--time=" + SECONDS,
                        "--file=" + script,
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
        Matcher rate = RATE.matcher(output);
        if (process.waitFor() != 0 || !rate.find()) {
            throw new IOException("pgbench failed: " + output);
        }
        return Double.parseDouble(rate.group(1));
    }

    private static Optional<Path> pgbench() throws IOException {
        var folders = new ArrayList<Path>();
        for (String folder : System.getenv("PATH").split(":")) {
            folders.add(Path.of(folder));
        }
        Path installed = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(installed)) {
            try (Stream<Path> versions = Files.list(installed)) {
                versions.map(version -> version.resolve("bin")).forEach(folders::add);
            }
        }
        return folders.stream()
                .map(folder -> folder.resolve("pgbench"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
