package svc.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;

/** A project that is not part of an attack, and its client: reads by key, one after another with a short pause. */
final class Neighbour {
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final String target;
    private final String key;

    private Neighbour(String target, String key) {
        this.target = target;
        this.key = key;
    }

    /**
     * The reads of one period.
     *
     * @param answered times of the reads that were answered with 200
     * @param failures status and body, or exception, of the others
     */
    record Period(List<Duration> answered, List<String> failures) {
        /** In milliseconds; infinite if no read was answered. */
        double p99() {
            return answered.isEmpty()
                    ? Double.POSITIVE_INFINITY
                    : Samples.of(answered).percentile(99);
        }
    }

    static Neighbour create(Platform platform) throws IOException {
        JsonNode project = platform.controlPlane().create("neighbour");
        String ref = project.get("ref").asText();
        platform.controlPlane().query(ref, BenchTables.item()).expect(201);
        return new Neighbour(
                platform.connection().pathUrl(ref) + "/rest/v1"
                        + Exchange.READ_BY_KEY.target().replace("%d", "7"),
                project.get("anon_key").asText());
    }

    /** Reads until the time is over; a read that is under way then still counts. */
    Period readFor(Duration time) throws InterruptedException {
        var period = new Period(new ArrayList<>(), new ArrayList<>());
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            read(period);
            Thread.sleep(PAUSE);
        }
        return period;
    }

    private void read(Period period) {
        long begin = System.nanoTime();
        try {
            var answer =
                    ControlPlane.send(HttpRequest.newBuilder(URI.create(target)).header("apikey", key));
            if (answer.status() == 200) {
                period.answered().add(Duration.ofNanos(System.nanoTime() - begin));
            } else {
                period.failures().add(answer.toString());
            }
        } catch (IOException e) {
            period.failures().add(e.toString());
        }
    }
}
