package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.crds.project.service.RealtimeSpec;
import svc.platform.tenancy.Tenant;

/** Joins, leaves, tokens and limits: what is promised of each, and the answer where it is not granted. */
@Timeout(90)
class ChannelsTest {
    private static final String REF = "chan2345";
    private static RealtimeForTests realtime;
    private static Tenant tenant;

    @BeforeAll
    static void start() {
        realtime = new RealtimeForTests();
        tenant = realtime.project(REF, RealtimeForTests::generous);
    }

    @AfterAll
    static void stop() {
        realtime.close();
    }

    @AfterEach
    void end() {
        realtime.closeClients();
        realtime.serve(tenant);
    }

    private static RawClient client() {
        return realtime.first.connect(REF, "2.0.0");
    }

    private static String reason(JsonObject reply) {
        assertThat(reply.getString("status")).isEqualTo("error");
        return reply.getJsonObject("response").getString("reason");
    }

    private static JsonObject withToken(String token) {
        return new JsonObject().put("config", new JsonObject()).put("access_token", token);
    }

    /** The project with some limits, until the end of the test. */
    private static void limit(RealtimeSpec limits) {
        realtime.serve(tenant.withRealtime(limits));
    }

    @Test
    void aHeartbeatIsAnswered() {
        RawClient client = client();
        client.send(null, "3", "phoenix", "heartbeat", new JsonObject());
        assertThat((JsonArray) client.next())
                .isEqualTo(new JsonArray("[null,\"3\",\"phoenix\",\"phx_reply\",{\"status\":\"ok\",\"response\":{}}]"));
    }

    @Test
    void aTopicThatIsJoinedAgainClosesItsFirstChannel() {
        RawClient client = client();
        client.join("twice", new JsonObject(), "1");
        client.send("4", "4", "realtime:twice", "phx_join", new JsonObject().put("config", new JsonObject()));
        assertThat((JsonArray) client.next())
                .isEqualTo(new JsonArray("[\"1\",\"1\",\"realtime:twice\",\"phx_close\",{}]"));
        assertThat(client.reply("4").getString("status")).isEqualTo("ok");

        client.send("1", "5", "realtime:twice", "phx_leave", new JsonObject());
        assertThat(client.isSilent()).as("a message for the first channel").isTrue();
        client.send("4", "6", "realtime:twice", "phx_leave", new JsonObject());
        assertThat(client.reply("6").getString("status")).isEqualTo("ok");
    }

    @Test
    void othersTopicsAndEventsAreRefused() {
        RawClient client = client();
        client.send("1", "1", "room", "phx_join", new JsonObject());
        assertThat(reason(client.reply("1"))).isEqualTo("unmatched topic");
        client.send("2", "2", "realtime:", "phx_join", new JsonObject());
        assertThat(reason(client.reply("2"))).isEqualTo("TopicNameRequired: You must provide a topic name");
        client.send("3", "3", "realtime:nobody", "broadcast", new JsonObject());
        assertThat(reason(client.reply("3"))).isEqualTo("unmatched topic");
        client.join("events", new JsonObject(), "4");
        client.send("4", "5", "realtime:events", "dance", new JsonObject());
        assertThat(reason(client.reply("5"))).isEqualTo("Unknown event: dance");
    }

    @Test
    void aConfigurationOfTheWrongTypesCountsAsAbsent() {
        RawClient client = client();
        JsonObject odd = new JsonObject("""
                {"broadcast": 7, "presence": ["x"], "postgres_changes": {"a": 1}, "private": "no"}""");
        assertThat(client.join("odd", odd))
                .isEqualTo(new JsonObject("{\"status\":\"ok\",\"response\":{\"postgres_changes\":[]}}"));
        client.send("2", "2", "realtime:text", "phx_join", "not an object");
        assertThat(client.reply("2").getString("status")).isEqualTo("ok");
    }

    @Test
    void keysAsTokensStandForTheCredentialsOfTheConnection() {
        RawClient client = client();
        for (String key : new String[] {"svc_anon_x", "svc_service_x", "sb_publishable_x", ""}) {
            JsonObject reply = client.join("key" + key, withToken(key), "r" + key);
            assertThat(reply.getString("status")).as(key).isEqualTo("ok");
        }
    }

    @Test
    void aBadTokenIsRefusedWithItsReason() {
        RawClient client = client();
        String expired = RealtimeForTests.token(REF, "u", -60);
        assertThat(reason(client.join("t1", withToken("abc"), "1")))
                .isEqualTo("MalformedJWT: The token provided is not a valid JWT");
        assertThat(reason(client.join("t2", withToken(expired), "2")))
                .matches("InvalidJWTToken: Token has expired 6\\d seconds ago");
        assertThat(reason(client.join("t3", withToken(RealtimeForTests.token("other234", "u", 60)), "3")))
                .as("of another project")
                .isEqualTo("JwtSignatureError: Failed to validate JWT signature");
        assertThat(reason(client.join("t4", withToken("e30.e30.x"), "4")))
                .isEqualTo("InvalidJWTToken: Fields `role` and `exp` are required in JWT");
        assertThat(client.join("t5", withToken(RealtimeForTests.token(REF, "u", 60)), "5")
                        .getString("status"))
                .isEqualTo("ok");
    }

    @Test
    void aTokenThatExpiresEndsItsChannelAndAFreshOneKeepsIt() {
        RawClient client = client();
        client.join("brief", withToken(RealtimeForTests.token(REF, "u", 300)), "1");
        client.join("kept", withToken(RealtimeForTests.token(REF, "u", 300)), "2");
        client.send(
                "2",
                "3",
                "realtime:kept",
                "access_token",
                new JsonObject().put("access_token", RealtimeForTests.token(REF, "u", 600)));
        client.settle();
        realtime.pass(Duration.ofSeconds(301));
        realtime.first.projects.tick();

        JsonArray notice = (JsonArray) client.next();
        assertThat(notice.getString(2)).isEqualTo("realtime:brief");
        assertThat(notice.getString(3)).isEqualTo("system");
        assertThat(notice.getJsonObject(4).getString("message")).matches("Token has expired \\d+ seconds ago");
        assertThat(((JsonArray) client.next()).getString(3)).isEqualTo("phx_close");
        assertThat(client.isSilent()).as("the other channel goes on").isTrue();
        realtime.pass(Duration.ofSeconds(-301));
    }

    @Test
    void aBadFreshTokenEndsTheChannel() {
        RawClient client = client();
        client.join("fresh", withToken(RealtimeForTests.token(REF, "u", 60)), "1");
        client.send("1", "2", "realtime:fresh", "access_token", new JsonObject().putNull("access_token"));
        client.send("1", "3", "realtime:fresh", "access_token", new JsonObject().put("access_token", "svc_anon_x"));
        assertThat(client.isSilent()).as("signed out").isTrue();
        client.send("1", "4", "realtime:fresh", "access_token", new JsonObject().put("access_token", "a.b"));
        assertThat(client.event("system").getString("message")).startsWith("MalformedJWT");
        assertThat(client.event("phx_close")).isEqualTo(new JsonObject());
    }

    @Test
    void channelsAndJoinsAndConnectionsHaveTheirLimits() {
        limit(new RealtimeSpec(true, false, 2, 2, 100_000, 100_000, 256, 50, 10));
        RawClient client = client();
        client.join("c1", new JsonObject(), "1");
        client.join("c2", new JsonObject(), "2");
        assertThat(reason(client.join("c3", new JsonObject().put("config", new JsonObject()), "3")))
                .isEqualTo("ChannelRateLimitReached: Too many channels");
        client();
        assertThatThrownBy(ChannelsTest::client)
                .isInstanceOf(RawClient.HandshakeRefused.class)
                .hasMessageContaining("429")
                .hasMessageContaining("{\"error\":\"ConnectionRateLimitReached: Too many connected users\"");
        realtime.closeClients();

        limit(new RealtimeSpec(true, false, 100, 100, 1, 100_000, 256, 50, 10));
        RawClient hasty = client();
        String answer = "";
        for (int number = 0; number < 20 && answer.isEmpty(); number++) {
            JsonObject reply = hasty.join("j" + number, new JsonObject(), "r" + number);
            answer = reply.getString("status").equals("ok") ? "" : reason(reply);
        }
        assertThat(answer).isEqualTo("ClientJoinRateLimitReached: Too many joins per second");
        assertThat(hasty.closeCode()).isEqualTo(1008);
    }

    @Test
    void tooManyMessagesEndTheChannelOfTheSender() {
        limit(new RealtimeSpec(true, false, 100, 100, 100, 2, 256, 50, 10));
        RawClient client = client();
        client.join("flood", new JsonObject());
        for (int number = 0; number < 100; number++) {
            client.broadcast("9", "flood", "e", true, Buffer.buffer("{}"));
        }
        assertThat(client.event("system"))
                .isEqualTo(
                        new JsonObject("{\"extension\":\"system\",\"status\":\"error\",\"message\":\"Too many messages"
                                + " per second\",\"channel\":\"flood\"}"));
        client.event("phx_close");
    }

    @Test
    void aProjectMayAllowPrivateChannelsOnlyOrNone() {
        limit(new RealtimeSpec(true, true, 100, 100, 100, 100, 256, 50, 10));
        RawClient client = client();
        assertThat(reason(client.join("open", new JsonObject())))
                .isEqualTo("PrivateOnly: This project only allows private channels");

        limit(new RealtimeSpec(false, false, 100, 100, 100, 100, 256, 50, 10));
        assertThat(client.closeCode()).isEqualTo(1000);
        assertThatThrownBy(ChannelsTest::client).hasMessageContaining("403 {\"error\":\"RealtimeDisabledForTenant");
    }

    @Test
    void aProjectThatIsDeletedDisconnectsItsClients() {
        RawClient client = client();
        client.join("gone", new JsonObject());
        realtime.first.projects.changed(REF, Optional.empty());
        assertThat(client.event("system").getString("message")).isEqualTo("Server requested disconnect");
        assertThat(client.closeCode()).isEqualTo(1000);
    }

    @Test
    void withoutAChangeFeedABindingIsEchoedAndAnError() {
        RawClient client = client();
        JsonObject binding =
                new JsonObject("{\"event\":\"*\",\"schema\":\"public\",\"table\":\"todos\",\"filter\":\"id=eq.1\"}");
        JsonObject reply = client.join(
                "changes",
                new JsonObject()
                        .put("postgres_changes", new JsonArray().add(binding).add(binding)));
        JsonArray echo = reply.getJsonObject("response").getJsonArray("postgres_changes");
        int id = echo.getJsonObject(0).getInteger("id");
        assertThat(echo)
                .isEqualTo(new JsonArray()
                        .add(binding.copy().put("id", id))
                        .add(binding.copy().put("id", id)));
        assertThat(client.event("system").getString("status")).isEqualTo("error");
    }

    @Test
    void aProcessThatStopsSendsItsClientsElsewhere() {
        try (RealtimeForTests stopping = new RealtimeForTests()) {
            stopping.project(REF, RealtimeForTests::generous);
            RawClient client = stopping.first.connect(REF, "2.0.0");
            client.join("drain", new JsonObject());
            stopping.first.projects.drain(Duration.ofMillis(10));
            assertThat(client.closeCode()).isEqualTo(1012);
            assertThatThrownBy(() -> stopping.first.connect(REF, "2.0.0")).hasMessageContaining("503");
            assertThat(stopping.second
                            .connect(REF, "2.0.0")
                            .join("drain", new JsonObject())
                            .getString("status"))
                    .isEqualTo("ok");
        }
    }

    @Test
    void aRotatedKeyEndsWhatItOpened() {
        RawClient keyed = client();
        keyed.join("rotated", new JsonObject());
        realtime.project("rotanei");
        RawClient neighbour = realtime.first.connect("rotanei", "2.0.0");
        neighbour.join("rotated", new JsonObject());
        realtime.serve(RealtimeForTests.rotated(tenant));
        assertThat(keyed.event("system").getString("message"))
                .isEqualTo("InvalidJWTToken: The key of this connection is not valid any more");
        assertThat(keyed.closeCode()).isEqualTo(1008);
        assertThat(neighbour.isSilent()).isTrue();
    }

    @Test
    void otherSettingsOfAProjectEndNoConnection() {
        RawClient client = client();
        client.join("kept", new JsonObject());
        realtime.serve(tenant.withRealtime(RealtimeSpec.defaults()));
        assertThat(client.isSilent()).isTrue();
    }

    @Test
    void aChannelThatAsksHearsWhetherMessagesOfTheDatabaseArrive() {
        JsonObject asked = new JsonObject().put("broadcast", new JsonObject().put("replication_ready", true));
        RawClient without = client();
        without.join("ready", asked);
        JsonObject failed = without.event("system");
        assertThat(failed.getString("status")).isEqualTo("error");
        assertThat(failed.getString("message")).startsWith("Replication connection is not established");

        var ready = new java.util.concurrent.CompletableFuture<Void>();
        try (RealtimeForTests reading = new RealtimeForTests(Optional.empty(), Optional.of(logs(ready)))) {
            reading.project(REF);
            RawClient client = reading.first.connect(REF, "2.0.0");
            assertThat(client.join("ready", asked).getString("status")).isEqualTo("ok");
            assertThat(client.isSilent()).as("before the log is read").isTrue();
            ready.complete(null);
            assertThat(client.event("system")).isEqualTo(new JsonObject("""
                    {"extension": "system", "status": "ok", "message": "Replication connection established",
                     "channel": "ready"}"""));
        }
    }

    private static svc.realtime.change.DatabaseLogs logs(java.util.concurrent.CompletableFuture<Void> ready) {
        return new svc.realtime.change.DatabaseLogs() {
            @Override
            public Following follow(Tenant followed) {
                return () -> {};
            }

            @Override
            public java.util.concurrent.CompletableFuture<Void> ready(Tenant asked) {
                return ready;
            }

            @Override
            public java.util.Set<Tenant.DatabaseAddress> read() {
                return java.util.Set.of();
            }

            @Override
            public long lagBytes(Tenant of) {
                return 0;
            }
        };
    }
}
