package svc.server.cost;

import static svc.server.cost.Shape.repeat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import svc.testing.RawConnection;

/** Callers without a right, each of which has the server keep what it can: with no credential, and with the anon key. */
final class Callers {
    /** Below the limits of {@link svc.server.testing.TestingPlatform}: of a head, of an open body, of a body. */
    private static final int HEAD_BYTES = 60_000;

    private static final int OPEN_BODY_BYTES = 60_000;
    private static final int BODY_BYTES = 120_000;
    private static final int PIPELINED_BYTES = 20_000;

    /** Below {@code svc.realtime.max-message}. */
    private static final int FRAME_BYTES = 250_000;

    /** A quarter of what {@code svc.api.limits.connections.max} reserves for one; for both sides, which are in this process. */
    private static final long FOR_A_CONNECTION = 32 << 10;

    /** All of it. */
    private static final long READ_AHEAD = 128 << 10;

    private static final int STARTUP_BYTES = 8_000;
    private static final int JOIN_BYTES = 60_000;
    private static final int TOPICS = 4;
    private static final int DOCUMENTS = 4;

    /** Of {@code svc.api.graphql.cache}, 64 MB, an eighth for texts and one for what is made of them. */
    private static final long DOCUMENT_CACHES = 16_000_000;

    private static final int PRESENCE_BYTES = 15_000;

    /** What a client that does not read leaves in its socket. */
    private static final int SMALL_BUFFER = 4 << 10;

    private final String host;
    private final String key;
    private final int postgresPort;

    /**
     * @param name for a test
     * @param open the call of one caller, which lasts until it is closed
     * @param each bytes that a connection may keep without an account
     * @param cached bytes that the process may keep for all of them together, by a setting
     * @param counted whether accounts hold something: a caller that is refused for another reason would prove nothing
     */
    record Caller(String name, IntFunction<AutoCloseable> open, long each, long cached, boolean counted) {
        Caller(String name, IntFunction<AutoCloseable> open) {
            this(name, open, FOR_A_CONNECTION, 0, false);
        }

        Caller isCounted() {
            return new Caller(name, open, each, cached, true);
        }
    }

    /** @param key a project's anon key */
    Callers(String host, String key, int postgresPort) {
        this.host = host;
        this.key = key;
        this.postgresPort = postgresPort;
    }

    private static Caller connection(String name, int receiveBuffer, String text) {
        return new Caller(name, i -> RawConnection.open(receiveBuffer).send(text));
    }

    /** Until its policies are asked, what the server has read ahead of it waits in the connection. */
    private static Caller waitingUpload(String name, String text) {
        return new Caller(name, i -> RawConnection.open().send(text), READ_AHEAD, 0, false);
    }

    private String head(String line, String... headers) {
        return line + " HTTP/1.1\r\nHost: " + host + "\r\n" + String.join("", headers);
    }

    private static String body(int bytes, String begin, String unit) {
        return "Content-Length: " + bytes + "\r\n\r\n" + begin + repeat(unit, bytes - begin.length() - unit.length());
    }

    List<Caller> strangers() {
        return List.of(
                connection("half a head", 0, head("GET /rest/v1/list", "a: " + repeat("b", HEAD_BYTES)))
                        .isCounted(),
                connection("half a target", 0, "GET /rest/v1/list?a=" + repeat("b", HEAD_BYTES))
                        .isCounted(),
                connection(
                        "a body without a credential",
                        0,
                        head("POST /rest/v1/list", body(BODY_BYTES, "[", "{\"id\":1},"))),
                connection(
                                "half a form",
                                0,
                                head(
                                        "POST /auth/v1/callback",
                                        "Content-Type: application/x-www-form-urlencoded\r\n",
                                        body(OPEN_BODY_BYTES, "code=abc", "&a=b")))
                        .isCounted(),
                connection(
                        "answers of pipelined requests",
                        SMALL_BUFFER,
                        repeat(head("GET /rest/v1/list", "\r\n"), PIPELINED_BYTES)),
                new Caller(
                        "half a startup of the PostgreSQL endpoint",
                        i -> PostgresWire.silent(postgresPort, STARTUP_BYTES)));
    }

    List<Caller> withTheAnonKey() {
        String keyed = "apikey: " + key + "\r\n";
        return List.of(
                connection(
                                "half a body of JSON",
                                0,
                                head("POST /rest/v1/list", keyed, body(BODY_BYTES, "[", "{\"id\":1},")))
                        .isCounted(),
                waitingUpload("half an upload", head("POST /storage/v1/object/b/o", keyed, body(BODY_BYTES, "", "x"))),
                waitingUpload(
                        "half a form of an upload",
                        head(
                                "POST /storage/v1/object/b/o",
                                keyed,
                                "Content-Type: multipart/form-data; boundary=x\r\n",
                                body(
                                        BODY_BYTES,
                                        "--x\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n",
                                        "x"))),
                connection("answers that wait", SMALL_BUFFER, head("GET /rest/v1/long", keyed, "\r\n"))
                        .isCounted(),
                new Caller("persisted documents", this::persisted, 0, DOCUMENT_CACHES, false),
                new Caller("half a frame", i -> socket(wire -> wire.half(text(FRAME_BYTES)))).isCounted(),
                new Caller("a message without its last frame", i -> socket(wire -> wire.first(text(FRAME_BYTES))))
                        .isCounted(),
                new Caller("joins", i -> socket(Callers::join)).isCounted(),
                new Caller("presences", i -> socket(wire -> present(wire, "p" + i % TOPICS))).isCounted());
    }

    private static void join(RealtimeWire wire) throws IOException {
        for (int topic = 0; topic < TOPICS; topic++) {
            wire.frame(join("t" + topic, repeat("k", JOIN_BYTES)));
        }
        wire.awaitReplies(TOPICS);
    }

    private static void present(RealtimeWire wire, String topic) throws IOException {
        wire.frame(join(topic, ""));
        wire.frame(bytes("[\"1\",\"3\",\"realtime:" + topic + "\",\"presence\",{\"type\":\"presence\","
                + "\"event\":\"track\",\"payload\":{\"a\":\"" + repeat("b", PRESENCE_BYTES) + "\"}}]"));
        // Of the join and of the presence.
        wire.awaitReplies(2);
    }

    private AutoCloseable persisted(int number) {
        try (HttpWire http = new HttpWire()) {
            for (int i = 0; i < DOCUMENTS; i++) {
                String begin = "{ __typename #" + number + "," + i + repeat("a", BODY_BYTES - 1_000);
                String hash = Products.sha256(begin + "\n}");
                http.send(Call.of("POST", host, "/graphql/v1")
                        .with("apikey: " + key)
                        .withBody("{\"query\":\"" + begin + "\\n}\",\"extensions\":{\"persistedQuery\":{\"version\":1,"
                                + "\"sha256Hash\":\"" + hash + "\"}}}")
                        .bytes());
            }
        }
        return () -> {};
    }

    @FunctionalInterface
    private interface Talk {
        void with(RealtimeWire wire) throws IOException;
    }

    private AutoCloseable socket(Talk talk) {
        var wire = new RealtimeWire(host, key);
        try {
            wire.open();
            talk.with(wire);
        } catch (IOException e) {
            // The server has closed the socket, and keeps nothing.
            return wire;
        }
        return wire;
    }

    private static byte[] text(int bytes) {
        return bytes(repeat("a", bytes));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] join(String topic, String key) {
        return bytes("[\"1\",\"1\",\"realtime:" + topic + "\",\"phx_join\",{\"config\":{\"presence\":{\"key\":\"" + key
                + "\",\"enabled\":" + key.isEmpty() + "}}}]");
    }
}
