package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is present on a topic: over both processes, with several metas of a key, and within limits. */
@Timeout(90)
class PresenceTest {
    private static final String REF = "pres2345";
    private static RealtimeForTests realtime;

    @BeforeAll
    static void start() {
        realtime = new RealtimeForTests();
        realtime.project(REF, RealtimeForTests::generous);
    }

    @AfterAll
    static void stop() {
        realtime.close();
    }

    @AfterEach
    void end() {
        realtime.closeClients();
    }

    private static RawClient joined(RealtimeForTests.Process process, String topic, String key) {
        RawClient client = process.connect(REF, "2.0.0");
        JsonObject presence = new JsonObject().put("key", key).put("enabled", true);
        assertThat(client.join(topic, new JsonObject().put("presence", presence))
                        .getString("status"))
                .isEqualTo("ok");
        return client;
    }

    private static void track(RawClient client, String topic, String ref, Object meta) {
        client.send(
                "1",
                ref,
                "realtime:" + topic,
                "presence",
                new JsonObject().put("type", "presence").put("event", "track").put("payload", meta));
    }

    private static JsonObject meta(JsonObject side, String key, int index) {
        return side.getJsonObject(key).getJsonArray("metas").getJsonObject(index);
    }

    @Test
    void aPresenceIsSeenInBothProcessesUntilItsClientLeaves() {
        RawClient here = joined(realtime.first, "room", "ann");
        assertThat(here.event("presence_state")).isEqualTo(new JsonObject());
        RawClient there = joined(realtime.second, "room", "bob");
        assertThat(there.event("presence_state")).isEqualTo(new JsonObject());

        track(here, "room", "2", new JsonObject().put("mood", "fine").put("phx_ref", "forged"));
        for (RawClient client : new RawClient[] {here, there}) {
            JsonObject diff = client.event("presence_diff");
            assertThat(diff.getJsonObject("leaves")).isEqualTo(new JsonObject());
            assertThat(meta(diff.getJsonObject("joins"), "ann", 0).getString("mood"))
                    .isEqualTo("fine");
            assertThat(meta(diff.getJsonObject("joins"), "ann", 0).getString("phx_ref"))
                    .isNotEqualTo("forged");
        }

        assertThat(here.reply("2").getString("status")).isEqualTo("ok");

        RawClient late = joined(realtime.second, "room", "eve");
        assertThat(late.event("presence_state").fieldNames()).containsExactly("ann");
        here.close();
        assertThat(meta(there.event("presence_diff").getJsonObject("leaves"), "ann", 0)
                        .getString("mood"))
                .isEqualTo("fine");
    }

    @Test
    void aChangeLeavesAndJoinsWithTheRefBefore() {
        RawClient client = joined(realtime.first, "change", "ann");
        track(client, "change", "2", new JsonObject().put("n", 1));
        String first = meta(client.event("presence_diff").getJsonObject("joins"), "ann", 0)
                .getString("phx_ref");
        track(client, "change", "3", new JsonObject().put("n", 2));
        JsonObject diff = client.event("presence_diff");
        assertThat(meta(diff.getJsonObject("leaves"), "ann", 0).getString("phx_ref"))
                .isEqualTo(first);
        JsonObject now = meta(diff.getJsonObject("joins"), "ann", 0);
        assertThat(now.getString("phx_ref_prev")).isEqualTo(first);
        assertThat(now.getInteger("n")).isEqualTo(2);
    }

    @Test
    void aKeyHasAMetaOfEachChannel() {
        RawClient one = joined(realtime.first, "many", "ann");
        RawClient other = joined(realtime.second, "many", "ann");
        track(one, "many", "2", new JsonObject().put("device", 1));
        other.event("presence_diff");
        track(other, "many", "2", new JsonObject().put("device", 2));
        one.event("presence_diff");
        one.event("presence_diff");

        RawClient third = joined(realtime.first, "many", "bob");
        assertThat(third.event("presence_state").getJsonObject("ann").getJsonArray("metas"))
                .hasSize(2);
        other.send(
                "1",
                "3",
                "realtime:many",
                "presence",
                new JsonObject().put("type", "presence").put("event", "untrack"));
        JsonObject diff = third.event("presence_diff");
        assertThat(meta(diff.getJsonObject("leaves"), "ann", 0).getInteger("device"))
                .isEqualTo(2);
    }

    @Test
    void thePresencesOfALostProcessLeave() {
        try (RealtimeForTests dying = new RealtimeForTests()) {
            dying.project(REF, RealtimeForTests::generous);
            RawClient watching = dying.first.connect(REF, "2.0.0");
            watching.join("lost", new JsonObject().put("presence", new JsonObject().put("enabled", true)));
            RawClient lost = dying.second.connect(REF, "2.0.0");
            lost.join(
                    "lost",
                    new JsonObject()
                            .put("presence", new JsonObject().put("key", "ann").put("enabled", true)));
            track(lost, "lost", "2", new JsonObject().put("a", 1));
            assertThat(watching.event("presence_diff").getJsonObject("joins").fieldNames())
                    .containsExactly("ann");

            // It says nothing more, and no clock of the test has to run for so long.
            dying.second.bus.close();
            dying.first.projects.tick(System.nanoTime() + 21_000_000_000L);

            assertThat(watching.event("presence_diff").getJsonObject("leaves").fieldNames())
                    .containsExactly("ann");
        }
    }

    @Test
    void aChannelWithoutPresenceHearsOfNoneUntilItTracks() {
        RawClient silent = realtime.first.connect(REF, "2.0.0");
        silent.join("quiet", new JsonObject().put("presence", new JsonObject().put("enabled", false)));
        RawClient other = joined(realtime.first, "quiet", "ann");
        track(other, "quiet", "2", new JsonObject());
        other.reply("2");
        assertThat(silent.isSilent()).isTrue();
        track(silent, "quiet", "2", new JsonObject());
        assertThat(silent.event("presence_state").fieldNames()).contains("ann");
    }

    @Test
    void whatIsTrackedIsAMapOfTenKeysAtMost() {
        RawClient client = joined(realtime.first, "limits", "ann");
        track(client, "limits", "2", 7);
        assertThat(client.reply("2").getJsonObject("response").getString("reason"))
                .isEqualTo("Presence track payload must be a map");
        JsonObject wide = new JsonObject();
        for (int key = 0; key < 11; key++) {
            wide.put("k" + key, key);
        }
        track(client, "limits", "3", wide);
        assertThat(client.reply("3").getJsonObject("response").getString("reason"))
                .isEqualTo("Presence track payload must have at most 10 keys");
    }

    @Test
    void aClientThatTracksTooOftenIsStopped() {
        RawClient client = joined(realtime.first, "often", "ann");
        for (int call = 0; call < 6; call++) {
            track(client, "often", "r" + call, new JsonObject().put("n", call));
        }
        assertThat(client.event("system").getString("message")).isEqualTo("Client presence rate limit exceeded");
        client.event("phx_close");
    }

    @Test
    void longPresencesAreRefusedBeforeTheyCloseTheirRoom() {
        for (int member = 0; member < 40; member++) {
            joined(realtime.first, "crowd", "m" + member);
        }
        List<RawClient> trackers = new ArrayList<>();
        for (int tracker = 0; tracker < 20; tracker++) {
            RawClient client = joined(realtime.first, "crowd", "t" + tracker);
            trackers.add(client);
            track(client, "crowd", "huge", new JsonObject().put("x", "x".repeat(200_000)));
            for (int call = 0; call < 4; call++) {
                track(client, "crowd", "c" + call, new JsonObject().put("x", "x".repeat(15_000)));
            }
        }
        int refused = 0;
        for (RawClient client : trackers) {
            assertThat(client.reply("huge").getJsonObject("response").getString("reason"))
                    .startsWith("payload_size_exceeded");
            for (int call = 0; call < 4; call++) {
                JsonObject reply = client.reply("c" + call);
                if (reply.getString("status").equals("error")) {
                    refused++;
                    assertThat(reply.getJsonObject("response").getString("reason"))
                            .startsWith("Too many long presences");
                }
            }
        }
        assertThat(refused).isPositive();
        assertThat(realtime.first.projects.connections()).isEqualTo(60);
    }
}
