package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a client sends has an answer, and a neighbour does not notice. */
@Timeout(120)
class HostileFramesTest {
    private static final String REF = "host2345";
    private static final String NEIGHBOUR = "neig2345";
    private static RealtimeForTests realtime;

    @BeforeAll
    static void start() {
        realtime = new RealtimeForTests();
        realtime.project(REF, RealtimeForTests::generous);
        realtime.project(NEIGHBOUR, RealtimeForTests::generous);
    }

    @AfterAll
    static void stop() {
        realtime.close();
    }

    @AfterEach
    void end() {
        realtime.closeClients();
    }

    private static RawClient client() {
        return realtime.first.connect(REF, "2.0.0");
    }

    private static void theNeighbourIsServed() {
        RawClient neighbour = realtime.first.connect(NEIGHBOUR, "2.0.0");
        neighbour.join("room", new JsonObject().put("broadcast", new JsonObject().put("self", true)));
        neighbour.broadcast("2", "room", "still", true, Buffer.buffer("{}"));
        assertThat(neighbour.broadcast().event()).isEqualTo("still");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{}",
                "[]",
                "[1]",
                "[null,null,null,null,null]",
                "[\"1\",\"1\",\"t\",\"e\"]",
                "[\"1\",\"1\",\"t\",\"e\",{},{}]",
                "[\"1\",\"1\",\"t\",\"e\",{}",
                "[\"1\",\"1\",{\"t\":1},\"e\",{}]",
                "[\"1\",\"1\",\"t\",\"e\",{}] []",
                "null",
                "[[[[[[[["
            })
    void aTextFrameThatIsNoMessageClosesTheSocket(String frame) {
        RawClient client = client();
        client.socket().writeTextMessage(frame);
        assertThat(client.closeCode()).isEqualTo(1007);
        theNeighbourIsServed();
    }

    @Test
    void textThatIsNotUtf8ClosesTheSocket() {
        RawClient client = client();
        client.socket()
                .writeFrame(WebSocketFrame.textFrame("[\"1\",", false))
                .compose(sent -> client.socket()
                        .writeFrame(
                                WebSocketFrame.continuationFrame(Buffer.buffer(new byte[] {(byte) 0xc3, 0x28}), true)));
        assertThat(client.closeCode()).isEqualTo(1007);
    }

    @Test
    void aBinaryFrameThatIsCutOrOfAnotherKindClosesTheSocket() {
        byte[][] frames = {
            {},
            {3},
            {3, 1, 1, 1, 1, 0},
            {3, 9, 9, 9, 9, 9, 1},
            {4, 0, 0, 0, 0, 0, 0},
            {3, 0, 0, 0, 0, 0, 2},
            {3, 0, 0, 1, 0, 0, 1, (byte) 0xff, '1'},
            {3, 0, 0, 1, 0, 0, 1, 't', '{'},
            {3, 0, 0, 1, 0, 0, 1, 't'},
        };
        for (byte[] frame : frames) {
            RawClient client = client();
            client.socket().writeBinaryMessage(Buffer.buffer(frame));
            assertThat(client.closeCode()).as(java.util.Arrays.toString(frame)).isEqualTo(1003);
        }
        theNeighbourIsServed();
    }

    @Test
    void aMessageInPiecesIsOneAndATooLongOneClosesTheSocket() {
        RawClient client = client();
        client.socket().writeFrame(WebSocketFrame.textFrame("[null,\"7\",\"pho", false));
        client.socket().writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer("enix\",\"heartbeat\",{}]"), true));
        assertThat(client.reply("7").getString("status")).isEqualTo("ok");

        client.socket().writeFrame(WebSocketFrame.textFrame("[", false));
        Buffer piece = Buffer.buffer(new byte[RealtimeForTests.MAX_MESSAGE / 2]);
        for (int number = 0; number < 3; number++) {
            client.socket().writeFrame(WebSocketFrame.continuationFrame(piece, false));
        }
        assertThat(client.closeCode()).isEqualTo(1009);

        RawClient large = client();
        large.socket().writeFinalTextFrame("x".repeat(RealtimeForTests.MAX_MESSAGE + 1));
        assertThat(large.closeCode()).isEqualTo(1009);
        theNeighbourIsServed();
    }

    @Test
    void randomBytesNeverBreakTheProcess() {
        var random = new SplittableRandom(7);
        for (int round = 0; round < 60; round++) {
            RawClient client = client();
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = 3;
            }
            client.socket().writeBinaryMessage(Buffer.buffer(bytes));
            client.close();
        }
        theNeighbourIsServed();
        // Its channel takes memory while it is open.
        realtime.closeClients();
        // The server ends a connection a moment after its client.
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(realtime.budget.held()).isZero());
    }

    @Test
    void deepAndLongTextsAreRefusedAndNotKept() {
        RawClient deep = client();
        deep.socket().writeTextMessage("[\"1\",\"1\",\"realtime:x\",\"phx_join\"," + "[".repeat(100_000));
        assertThat(deep.closeCode()).isEqualTo(1007);
        RawClient wide = client();
        wide.send("1", "1", "realtime:x", "phx_join", new JsonObject().put("config", "x".repeat(70_000)));
        assertThat(wide.reply("1").getJsonObject("response").getString("reason"))
                .startsWith("InvalidJoinPayload");
    }

    @Test
    void joinsByTheThousandEndAtTheLimitOfTheSocket() {
        RawClient client = client();
        for (int number = 0; number < 1_500; number++) {
            client.send("j", "r" + number, "realtime:t" + number, "phx_join", new JsonObject());
        }
        int joined = 0;
        String refused = "";
        for (int number = 0; number < 1_500; number++) {
            JsonObject reply = client.event("phx_reply");
            if (reply.getString("status").equals("ok")) {
                joined++;
            } else {
                refused = reply.getJsonObject("response").getString("reason");
            }
        }
        assertThat(joined).isEqualTo(1_000);
        assertThat(refused).isEqualTo("ChannelRateLimitReached: Too many channels");
        theNeighbourIsServed();
    }

    @Test
    void whatJoinsKeepIsOfTheSocketsAndTheProjectsMemory() {
        JsonObject config = new JsonObject().put("presence", new JsonObject().put("key", "k".repeat(60_000)));
        List<String> refused = new ArrayList<>();
        long most = 0;
        for (int socket = 0; socket < 20; socket++) {
            RawClient client = client();
            for (int topic = 0; topic < 40; topic++) {
                JsonObject reply = client.join("t" + topic, new JsonObject().put("config", config), "1");
                if (reply.getString("status").equals("error")) {
                    refused.add(reply.getJsonObject("response").getString("reason"));
                    break;
                }
            }
            most = Math.max(most, realtime.budget.held());
        }
        assertThat(refused).hasSize(20);
        assertThat(refused.getFirst()).startsWith("ConnectionMemoryLimitReached: ");
        assertThat(refused.getLast()).startsWith("ProjectMemoryLimitReached: ");
        assertThat(most).as("of 64 MiB, of which a project has less than half").isBetween(16L << 20, 32L << 20);
        theNeighbourIsServed();
        realtime.closeClients();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(realtime.budget.held()).isZero());
    }

    @Test
    void bindingsAreCountedByWhatTheyTake() {
        JsonArray bindings = new JsonArray();
        for (int binding = 0; binding < 100; binding++) {
            bindings.add(new JsonObject()
                    .put("event", "*")
                    .put("schema", "public")
                    .put("table", "t")
                    .put("filter", "a=in.(" + binding + ",1".repeat(99) + ")"));
        }
        RawClient client = client();
        String reason = "";
        int joined = 0;
        while (reason.isEmpty() && joined < 100) {
            JsonObject reply = client.join(
                    "t" + joined,
                    new JsonObject().put("config", new JsonObject().put("postgres_changes", bindings)),
                    "1");
            joined++;
            reason = Optional.ofNullable(reply.getJsonObject("response").getString("reason"))
                    .orElse("");
        }
        assertThat(joined).as("joins of 10,000 values").isLessThan(5);
        assertThat(reason).startsWith("ConnectionMemoryLimitReached: ");
        theNeighbourIsServed();
    }

    @Test
    void aClientThatNeverReadsIsDroppedAndTheOthersReceiveAll() {
        JsonObject config = new JsonObject().put("broadcast", new JsonObject().put("ack", true));
        RawClient deaf = client();
        deaf.join("deaf", config);
        RawClient reader = client();
        reader.join("deaf", config);
        RawClient sender = client();
        sender.join("deaf", config);
        deaf.socket().pause();
        String payload = "\"" + "x".repeat(200 << 10) + "\"";
        int sent = 0;
        while (realtime.first.projects.connections() == 3 && sent < 500) {
            sender.broadcast("2", "deaf", "large", true, Buffer.buffer(payload));
            sender.reply("2");
            assertThat(reader.broadcast().payload().length()).isEqualTo(payload.length());
            sent++;
        }
        assertThat(realtime.first.projects.connections())
                .as("after %s messages", sent)
                .isEqualTo(2);
        theNeighbourIsServed();
    }

    @Test
    void messagesThatAreNeverCompletedAreOfTheProjectsMemory() {
        List<RawClient> clients = new ArrayList<>();
        Buffer piece = Buffer.buffer(new byte[RealtimeForTests.MAX_MESSAGE - 100]);
        for (int number = 0; number < 80; number++) {
            RawClient client = client();
            client.socket().writeFrame(WebSocketFrame.binaryFrame(piece, false));
            clients.add(client);
        }
        CompletableFuture<Object> refused =
                CompletableFuture.anyOf(clients.stream().map(RawClient::closed).toArray(CompletableFuture[]::new));
        assertThat(refused.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo(1013);
        theNeighbourIsServed();
        realtime.closeClients();
    }

    @Test
    void messagesWithoutAChannelAreCounted() {
        RawClient client = client();
        for (int number = 0; number < 4_000; number++) {
            client.send(null, "1", "phoenix", "heartbeat", new JsonObject());
        }
        assertThat(client.closeCode()).isEqualTo(1008);
        theNeighbourIsServed();
    }

    @Test
    void addressesThatAreNoSocketHaveTheirAnswer() {
        assertThat(realtime.first.get(REF, "/websocket").statusCode()).isEqualTo(400);
        assertThat(realtime.first.get(REF, "/else").statusCode()).isEqualTo(404);
        assertThat(realtime.first.get(REF, "/api/ping").body()).isEqualTo("{\"message\":\"Success\"}");
        assertThatThrownBy(() -> realtime.first.connect(REF, "3.0.0")).hasMessageContaining("400");
    }
}
