package svc.bench.siege;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.bench.measure.BenchTables;
import svc.bench.measure.Exchange;
import svc.bench.measure.Samples;
import svc.e2e.platform.Platform;

/**
 * A project that is not part of an attack, and its client: reads by key, one after another with a short pause, from an
 * address of its own. Connections are limited by address, and the attackers' is {@code 127.0.0.1}.
 */
public final class Neighbour {
    private static final String ADDRESS = "127.0.0.2";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final HttpClient client;
    private final HttpRequest request;

    private Neighbour(HttpClient client, HttpRequest request) {
        this.client = client;
        this.request = request;
    }

    /**
     * The reads of one period.
     *
     * @param answered times of the reads that were answered with 200
     * @param failures status and body, or exception, of the others
     */
    public record Period(List<Duration> answered, List<String> failures) {
        /** In milliseconds; infinite if no read was answered. */
        public double p99() {
            return answered.isEmpty()
                    ? Double.POSITIVE_INFINITY
                    : Samples.of(answered).percentile(99);
        }
    }

    public static Neighbour create(Platform platform) throws IOException {
        JsonNode project = platform.controlPlane().create("neighbour");
        String ref = project.get("ref").asText();
        platform.controlPlane().query(ref, BenchTables.item()).expect(201);
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .localAddress(InetAddress.getByName(ADDRESS))
                .build();
        String target = platform.connection().pathUrl(ref) + "/rest/v1"
                + Exchange.READ_BY_KEY.target().replace("%d", "7");
        HttpRequest request = HttpRequest.newBuilder(URI.create(target))
                .header("apikey", project.get("anon_key").asText())
                .timeout(LIMIT)
                .build();
        return new Neighbour(client, request);
    }

    /** Reads until the time is over; a read that is under way then still counts. */
    public Period readFor(Duration time) throws InterruptedException {
        var period = new Period(new ArrayList<>(), new ArrayList<>());
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            read(period);
            Thread.sleep(PAUSE);
        }
        return period;
    }

    private void read(Period period) throws InterruptedException {
        long begin = System.nanoTime();
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                period.answered().add(Duration.ofNanos(System.nanoTime() - begin));
            } else {
                period.failures().add(answer.statusCode() + " " + answer.body());
            }
        } catch (IOException e) {
            period.failures().add(e.toString());
        }
    }
}
