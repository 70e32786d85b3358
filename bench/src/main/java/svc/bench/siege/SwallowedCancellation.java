package svc.bench.siege;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Figure;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;

/**
 * How long functions of SQL that lift their timeout and catch every cancellation keep their backends after the deadline of
 * their requests.
 */
final class SwallowedCancellation {
    private static final int CALLS = 10;

    /** The default of {@code transaction-limit}: a function that lifts statement_timeout has no other deadline. */
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    /** Backends that are still there after so long will not end. */
    private static final Duration MAX_TIME = DEADLINE.multipliedBy(2);

    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** Without any of them: the calls are over. */
    private static final Duration QUIET = Duration.ofSeconds(5);

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
            for (int i = 0; i < CALLS; i++) {
                threads.execute(() -> call(project));
            }
            return Figure.atMost(
                    CALLS + " functions that catch their cancellation, longest backend after its deadline",
                    longestSeconds(schema) - DEADLINE.toSeconds(),
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

    /** The greatest age of a transaction of the project's, until none has run for a while. */
    private double longestSeconds(String schema) throws IOException, SQLException, InterruptedException {
        String ages = "SELECT extract(epoch FROM clock_timestamp() - xact_start)::text FROM pg_stat_activity"
                + " WHERE usename = '" + schema + "_api' AND state = 'active'";
        double longest = 0;
        long seen = System.nanoTime();
        while (System.nanoTime() - seen < QUIET.toNanos()) {
            for (String age : database.texts(ages)) {
                longest = Math.max(longest, Double.parseDouble(age));
                seen = System.nanoTime();
            }
            if (longest > MAX_TIME.toSeconds()) {
                throw new IOException("a backend is still there after " + MAX_TIME);
            }
            Thread.sleep(POLL);
        }
        return longest;
    }
}
