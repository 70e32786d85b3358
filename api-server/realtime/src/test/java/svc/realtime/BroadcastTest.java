package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.realtime.RawClient.Received;

/** Messages of clients reach the other members of their room, whichever process those are connected to. */
@Timeout(60)
class BroadcastTest {
    private static final String REF = "abcd2345";
    private static final String NEIGHBOUR = "nbcd2345";
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

    private static JsonObject broadcast(boolean ack, boolean self) {
        return new JsonObject()
                .put("broadcast", new JsonObject().put("ack", ack).put("self", self));
    }

    private static RawClient joined(RealtimeForTests.Process process, String ref, String topic, JsonObject config) {
        RawClient client = process.connect(ref, "2.0.0");
        assertThat(client.join(topic, config).getString("status")).isEqualTo("ok");
        return client;
    }

    @Test
    void aMessageReachesMembersInBothProcessesButNotItsSender() {
        RawClient sender = joined(realtime.first, REF, "room", broadcast(true, false));
        RawClient here = joined(realtime.first, REF, "room", broadcast(false, false));
        RawClient there = joined(realtime.second, REF, "room", broadcast(false, false));

        sender.broadcast("2", "room", "cursor", true, Buffer.buffer("{\"x\": 1.00}"));

        assertThat(sender.reply("2")).isEqualTo(new JsonObject("{\"status\":\"ok\",\"response\":{}}"));
        for (RawClient member : new RawClient[] {here, there}) {
            Received received = member.broadcast();
            assertThat(received.topic()).isEqualTo("realtime:room");
            assertThat(received.event()).isEqualTo("cursor");
            assertThat(received.json()).isTrue();
            assertThat(received.payload().toString()).as("as it was written").isEqualTo("{\"x\": 1.00}");
        }
        assertThat(sender.isSilent()).isTrue();
    }

    @Test
    void aSenderThatAsksForItsOwnMessagesReceivesThem() {
        RawClient sender = joined(realtime.first, REF, "self", broadcast(false, true));
        sender.broadcast("2", "self", "echo", true, Buffer.buffer("1"));
        assertThat(sender.broadcast().payload().toString()).isEqualTo("1");
        assertThat(sender.isSilent()).as("no answer without ack").isTrue();
    }

    @Test
    void membersOfBothSerializersMeet() {
        RawClient newer = joined(realtime.first, REF, "mixed", broadcast(false, false));
        RawClient older = realtime.second.connect(REF, "1.0.0");
        older.socket()
                .writeTextMessage(
                        "{\"topic\":\"realtime:mixed\",\"event\":\"phx_join\",\"payload\":{\"config\":{}},\"ref\":\"1\",\"join_ref\":\"1\"}");
        JsonObject joined = (JsonObject) older.next();
        assertThat(joined)
                .isEqualTo(
                        new JsonObject(
                                "{\"ref\":\"1\",\"topic\":\"realtime:mixed\",\"event\":\"phx_reply\",\"payload\":{\"status\":\"ok\",\"response\":{\"postgres_changes\":[]}},\"join_ref\":\"1\"}"));

        newer.broadcast("2", "mixed", "raw", false, Buffer.buffer(new byte[] {1, 2}));
        newer.broadcast("3", "mixed", "from newer", true, Buffer.buffer("{\"a\":\"ü\"}"));
        JsonObject received = (JsonObject) older.next();
        assertThat(received.getString("event"))
                .as("raw bytes have no form there")
                .isEqualTo("broadcast");
        assertThat(received.getJsonObject("payload"))
                .isEqualTo(
                        new JsonObject("{\"type\":\"broadcast\",\"event\":\"from newer\",\"payload\":{\"a\":\"ü\"}}"));

        older.socket()
                .writeTextMessage(
                        "{\"topic\":\"realtime:mixed\",\"event\":\"broadcast\",\"payload\":{\"type\":\"broadcast\",\"event\":\"from older\",\"payload\":{\"b\":[1,2]}},\"ref\":\"2\",\"join_ref\":\"1\"}");
        Received other = newer.broadcast();
        assertThat(other.event()).isEqualTo("from older");
        assertThat(other.payload().toString()).isEqualTo("{\"b\":[1,2]}");
    }

    @Test
    void equalTopicsOfTwoProjectsAreApart() {
        RawClient sender = joined(realtime.first, REF, "equal", broadcast(true, false));
        RawClient neighbour = joined(realtime.first, NEIGHBOUR, "equal", broadcast(false, false));
        RawClient remote = joined(realtime.second, NEIGHBOUR, "equal", broadcast(false, false));
        RawClient own = joined(realtime.second, REF, "equal", broadcast(false, false));

        sender.broadcast("2", "equal", "secret", true, Buffer.buffer("{}"));

        assertThat(own.broadcast().event()).isEqualTo("secret");
        assertThat(neighbour.isSilent()).isTrue();
        assertThat(remote.isSilent()).isTrue();
    }

    @Test
    void aMemberThatHasLeftReceivesNothing() {
        RawClient sender = joined(realtime.first, REF, "left", broadcast(true, false));
        RawClient member = joined(realtime.first, REF, "left", broadcast(false, false));

        member.send("1", "2", "realtime:left", "phx_leave", new JsonObject());
        assertThat(member.reply("2").getString("status")).isEqualTo("ok");
        assertThat((JsonArray) member.next())
                .isEqualTo(new JsonArray("[\"1\",\"1\",\"realtime:left\",\"phx_close\",{}]"));

        sender.broadcast("2", "left", "late", true, Buffer.buffer("{}"));
        sender.reply("2");
        assertThat(member.isSilent()).isTrue();
    }

    @Test
    void aMessageBeyondTheLimitIsRefusedWithItsWord() {
        RawClient sender = joined(realtime.first, REF, "large", broadcast(true, true));
        sender.broadcast("2", "large", "e", true, Buffer.buffer("\"" + "x".repeat(256 << 10) + "\""));
        assertThat(sender.reply("2"))
                .isEqualTo(
                        new JsonObject("{\"status\":\"error\",\"response\":{\"reason\":\"payload_size_exceeded\"}}"));
        sender.broadcast("3", "large", "e", true, Buffer.buffer("\"" + "x".repeat(255 << 10) + "\""));
        assertThat(sender.broadcast().payload().length()).isGreaterThan(255 << 10);
    }
}
