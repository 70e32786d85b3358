package svc.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;

/**
 * How long functions of SQL that lift their timeout and catch every cancellation keep their backends after the deadline of
 * their requests.
 */
final class SwallowedCancellation {
    private static final int CALLS = 10;

    /** The default of {@code spec.limits.statementTimeoutSeconds}. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Backends that are still there after so long will not end. */
    private static final Duration MOST = DEADLINE.multipliedBy(2);

    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Platform platform;
    private final BenchDatabase database;

    SwallowedCancellation(Platform platform) throws IOException {
        this.platform = platform;
        this.database = BenchDatabase.of(platform);
    }

    Figure measure() throws IOException, SQLException, InterruptedException {
        JsonNode project = platform.controlPlane().create("swallows");
        platform.controlPlane().query(project.get("ref").asText(), Siege.HANG).expect(201);
        String schema = project.get("schema").asText();
        try (ExecutorService threads = Executors.newFixedThreadPool(CALLS)) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                threads.execute(() -> call(project));
            }
            awaitBackends(schema, CALLS, start);
            awaitBackends(schema, 0, start);
            double after = (System.nanoTime() - start - DEADLINE.toNanos()) / 1e9;
            return Figure.atMost(
                    CALLS + " functions that catch their cancellation, last backend gone after the deadline",
                    after,
                    "s",
                    LIMIT.toSeconds());
        }
    }

    private void call(JsonNode project) {
        String target = platform.connection().pathUrl(project.get("ref").asText()) + "/rest/v1/rpc/hang";
        try {
            ControlPlane.send(HttpRequest.newBuilder(URI.create(target))
                    .header("apikey", project.get("anon_key").asText())
                    .POST(BodyPublishers.noBody()));
        } catch (IOException e) {
            // Its backends are what is measured, not its answer.
        }
    }

    private void awaitBackends(String schema, int count, long start)
            throws IOException, SQLException, InterruptedException {
        String running =
                "SELECT count(*)::text FROM pg_stat_activity WHERE usename = '" + schema + "_api' AND state = 'active'";
        while (!database.texts(running).equals(List.of(Integer.toString(count)))) {
            if (System.nanoTime() - start > MOST.toNanos()) {
                throw new IOException("there are not " + count + " backends after " + MOST);
            }
            Thread.sleep(POLL);
        }
    }
}
