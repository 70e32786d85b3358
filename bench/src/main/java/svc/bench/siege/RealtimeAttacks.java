package svc.bench.siege;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import svc.e2e.platform.Platform;

/** Frames and broadcasts to the realtime service that cost more than their bytes. */
final class RealtimeAttacks {
    private static final int BLANKS = 3_000;
    private static final int SOCKETS = 52;
    private static final int JOINS = 100;
    private static final int JOIN_BYTES = 60_000;
    private static final int BINDINGS = 100;
    private static final int CONDITIONS = 25;
    private static final int MESSAGES = 100;
    private static final int META_BYTES = 250_000;
    private static final int TRACKS = 171;

    private final Attacker attacker;

    private RealtimeAttacks(Attacker attacker) {
        this.attacker = attacker;
    }

    static RealtimeAttacks prepare(Platform platform) throws IOException {
        Attacker attacker = Attacker.create(platform, "realtime");
        platform.controlPlane()
                .query(
                        attacker.ref(),
                        "CREATE TABLE seen (id int PRIMARY KEY, t text); GRANT SELECT, INSERT ON seen TO anon;"
                                + "ALTER PUBLICATION supabase_realtime ADD TABLE seen")
                .expect(201);
        return new RealtimeAttacks(attacker);
    }

    List<Attack> attacks() {
        return List.of(
                new Attack("filters of 3,000 blanks", this::blankFilters),
                new Attack(SOCKETS + " sockets with " + JOINS + " joins of 60 KB", this::largeJoins),
                new Attack("joins with 100 bindings of 25 conditions, and written rows", this::manyBindings),
                new Attack("broadcasts by REST to a full room", this::restBroadcasts),
                new Attack("presence of 250 KB", this::largePresence));
    }

    private AutoCloseable blankFilters() {
        String change = "{\"event\":\"*\",\"schema\":\"public\",\"table\":\"seen\",\"filter\":\"id=eq.x,"
                + " ".repeat(BLANKS) + "\"}";
        return frames(4, 50, i -> join("f" + i, "\"postgres_changes\":[" + change + "]"));
    }

    private AutoCloseable largeJoins() {
        String kept = "\"kept\":\"" + "x".repeat(JOIN_BYTES) + "\"";
        return frames(SOCKETS, JOINS, i -> join("j" + i, kept));
    }

    private AutoCloseable manyBindings() {
        String bindings = IntStream.range(0, BINDINGS)
                .mapToObj(binding -> "{\"event\":\"INSERT\",\"schema\":\"public\",\"table\":\"seen\",\"filter\":\""
                        + IntStream.range(0, CONDITIONS)
                                .mapToObj(condition -> "id=gt." + binding * CONDITIONS + condition)
                                .collect(Collectors.joining(","))
                        + "\"}")
                .collect(Collectors.joining(",", "\"postgres_changes\":[", "]"));
        AutoCloseable sockets = frames(4, 25, i -> join("b" + i, bindings));
        AutoCloseable rows = Attacker.flood(
                200,
                4,
                call -> attacker.request("/rest/v1/seen")
                        .POST(BodyPublishers.ofString("{\"id\":" + call + ",\"t\":\"x\"}")));
        return both(sockets, rows);
    }

    private AutoCloseable restBroadcasts() {
        AutoCloseable sockets = frames(20, 1, i -> join("room", "\"broadcast\":{\"self\":true}"));
        String body = IntStream.range(0, MESSAGES)
                .mapToObj(i -> "{\"topic\":\"room\",\"event\":\"e\",\"payload\":{\"n\":" + i + "}}")
                .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
        AutoCloseable calls = Attacker.flood(
                2_000, 8, call -> attacker.request("/realtime/v1/api/broadcast").POST(BodyPublishers.ofString(body)));
        return both(sockets, calls);
    }

    private AutoCloseable largePresence() {
        String meta = "x".repeat(META_BYTES);
        return frames(
                60,
                4,
                i -> i % 4 == 0
                        ? join("present", "\"presence\":{\"enabled\":true,\"key\":\"k" + i % TRACKS + "\"}")
                        : "[\"1\",\"2\",\"realtime:present\",\"presence\",{\"type\":\"presence\",\"event\":\"track\",\"payload\":"
                                + "{\"m\":\"" + meta + "\"}}]");
    }

    private static String join(String topic, String config) {
        return "[\"1\",\"1\",\"realtime:" + topic + "\",\"phx_join\",{\"config\":{" + config + "}}]";
    }

    /** Sends so many frames on each of so many sockets; the sockets stay open until the result is closed. */
    private AutoCloseable frames(int sockets, int each, IntFunction<String> frame) {
        HttpClient client = HttpClient.newHttpClient();
        List<WebSocket> open = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int socket = 0; socket < sockets; socket++) {
            threads.execute(() -> {
                try {
                    WebSocket opened = open(client);
                    open.add(opened);
                    for (int i = 0; i < each; i++) {
                        opened.sendText(frame.apply(i), true).join();
                    }
                } catch (CompletionException e) {
                    // Refused: the platform's defence.
                }
            });
        }
        return () -> {
            threads.shutdownNow();
            open.forEach(WebSocket::abort);
            client.shutdownNow();
        };
    }

    private WebSocket open(HttpClient client) {
        URI base = URI.create(attacker.platform().connection().pathUrl(attacker.ref()));
        URI socket = URI.create("ws://" + base.getAuthority() + base.getRawPath()
                + "/realtime/v1/websocket?vsn=2.0.0&apikey=" + attacker.anonKey());
        return client.newWebSocketBuilder()
                .buildAsync(socket, new WebSocket.Listener() {})
                .join();
    }

    private static AutoCloseable both(AutoCloseable one, AutoCloseable other) {
        return () -> {
            try (one;
                    other) {
                // Closing both is all there is to do.
            }
        };
    }
}
