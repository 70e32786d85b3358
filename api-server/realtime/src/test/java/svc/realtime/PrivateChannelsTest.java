package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;
import svc.realtime.RawClient.Received;

/** Private channels are those that policies on realtime.messages allow, as far as they do. */
@Timeout(90)
class PrivateChannelsTest {
    private static final String REF = "priv2345";
    private static final String ANN = "00000000-0000-4000-8000-00000000000a";
    private static final String BOB = "00000000-0000-4000-8000-00000000000b";
    private static RealtimeForTests realtime;
    private static Tenant tenant;

    @BeforeAll
    static void start() {
        realtime = new RealtimeForTests();
        tenant = realtime.project(REF, RealtimeForTests::generous);
        String messages = tenant.names().realtime().sql() + ".messages";
        String users = tenant.names().role(DatabaseRole.AUTHENTICATED).sql();
        // Topics are called by their user, and "half:" ones may only be listened to.
        realtime.database()
                .asOperator("CREATE POLICY readable ON " + messages + " FOR SELECT TO " + users
                        + " USING (svc_realtime.topic() LIKE '%' || (SELECT svc_auth.uid())::text AND extension = 'broadcast'"
                        + " OR svc_realtime.topic() = 'everybody');"
                        + "CREATE POLICY writable ON " + messages + " FOR INSERT TO " + users
                        + " WITH CHECK (svc_realtime.topic() = (SELECT svc_auth.uid())::text"
                        + " OR svc_realtime.topic() = 'everybody')");
    }

    @AfterAll
    static void stop() {
        realtime.close();
    }

    @AfterEach
    void end() {
        realtime.closeClients();
    }

    private static JsonObject join(RawClient client, String topic, String user, JsonObject broadcast) {
        JsonObject config = new JsonObject().put("private", true).put("broadcast", broadcast);
        JsonObject payload = new JsonObject().put("config", config);
        if (!user.isEmpty()) {
            payload.put("access_token", RealtimeForTests.token(REF, user, 600));
        }
        return client.join(topic, payload, "1");
    }

    private static RawClient joined(RealtimeForTests.Process process, String topic, String user) {
        RawClient client = process.connect(REF, "2.0.0");
        assertThat(join(client, topic, user, new JsonObject().put("ack", true)).encode())
                .contains("\"ok\"");
        return client;
    }

    @Test
    void onlyThoseWhomAPolicyAllowsMayRead() {
        String refused = "Unauthorized: You do not have permissions to read from this Channel topic: " + ANN;
        joined(realtime.first, ANN, ANN);
        for (String user : new String[] {BOB, ""}) {
            JsonObject reply = join(realtime.first.connect(REF, "2.0.0"), ANN, user, new JsonObject());
            assertThat(reply.getJsonObject("response").getString("reason")).isEqualTo(refused);
        }
        RawClient service = realtime.first.connect(REF, "2.0.0", "service");
        assertThat(join(service, ANN, "", new JsonObject()).getString("status"))
                .as("the service key")
                .isEqualTo("ok");
    }

    @Test
    void aMessageNeedsARightOfItsOwn() {
        RawClient writer = joined(realtime.first, ANN, ANN);
        RawClient other = joined(realtime.second, ANN, ANN);
        writer.broadcast("2", ANN, "allowed", true, Buffer.buffer("{}"));
        assertThat(writer.reply("2").getString("status")).isEqualTo("ok");
        assertThat(other.broadcast().event()).isEqualTo("allowed");

        RawClient reader = joined(realtime.first, "half:" + ANN, ANN);
        RawClient listener = joined(realtime.second, "half:" + ANN, ANN);
        reader.broadcast("2", "half:" + ANN, "forbidden", true, Buffer.buffer("{}"));
        assertThat(reader.reply("2").encode())
                .isEqualTo(
                        "{\"status\":\"error\",\"response\":{\"reason\":\"Unauthorized: You do not have permissions to"
                                + " write to this Channel topic: half:" + ANN + "\"}}");
        RawClient quiet = realtime.first.connect(REF, "2.0.0");
        join(quiet, "half:" + ANN, ANN, new JsonObject().put("ack", false));
        quiet.broadcast("2", "half:" + ANN, "forbidden", true, Buffer.buffer("{}"));
        assertThat(quiet.isSilent()).as("without ack").isTrue();
        RawClient service = realtime.first.connect(REF, "2.0.0", "service");
        join(service, "half:" + ANN, "", new JsonObject().put("ack", true));
        service.broadcast("2", "half:" + ANN, "service", true, Buffer.buffer("{}"));
        assertThat(listener.broadcast().event())
                .as("the forbidden one is dropped")
                .isEqualTo("service");
    }

    @Test
    void publicAndPrivateRoomsOfATopicAreApart() {
        RawClient open = realtime.first.connect(REF, "2.0.0");
        open.join("everybody", new JsonObject().put("broadcast", new JsonObject().put("ack", true)));
        RawClient secret = joined(realtime.first, "everybody", ANN);
        RawClient member = joined(realtime.second, "everybody", BOB);

        secret.broadcast("2", "everybody", "private", true, Buffer.buffer("{}"));
        secret.reply("2");
        assertThat(member.broadcast().event()).isEqualTo("private");
        assertThat(open.isSilent()).isTrue();
        open.broadcast("2", "everybody", "public", true, Buffer.buffer("{}"));
        open.reply("2");
        assertThat(secret.isSilent()).isTrue();
    }

    @Test
    void aNewTokenIsJudgedAgain() {
        RawClient client = joined(realtime.first, ANN, ANN);
        client.send(
                "1",
                "2",
                "realtime:" + ANN,
                "access_token",
                new JsonObject().put("access_token", RealtimeForTests.token(REF, ANN, 900)));
        client.broadcast("3", ANN, "still", true, Buffer.buffer("{}"));
        assertThat(client.reply("3").getString("status")).isEqualTo("ok");

        client.send(
                "1",
                "4",
                "realtime:" + ANN,
                "access_token",
                new JsonObject().put("access_token", RealtimeForTests.token(REF, BOB, 600)));
        assertThat(client.event("system").getString("message"))
                .isEqualTo("You no longer have permission to read from this Channel topic: " + ANN);
        client.event("phx_close");
    }

    @Test
    void theQuestionLeavesNoRow() {
        joined(realtime.first, ANN, ANN).broadcast("2", ANN, "e", true, Buffer.buffer("{}"));
        assertThat(realtime.database()
                        .ask("SELECT count(*) FROM " + tenant.names().realtime().sql()
                                + ".messages WHERE payload IS NULL AND binary_payload IS NULL"))
                .isEqualTo("0");
    }

    @Test
    void privateMessagesByRequestNeedTheRightToo() {
        RawClient member = joined(realtime.second, "everybody", ANN);
        String body = new JsonObject()
                .put(
                        "messages",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("topic", "everybody")
                                        .put("event", "anonymous")
                                        .put("private", true)
                                        .put("payload", new JsonObject())))
                .encode();
        assertThat(realtime.first.post(REF, "/api/broadcast?apikey=anon", body).statusCode())
                .isEqualTo(202);
        assertThat(realtime.first
                        .post(REF, "/api/broadcast?apikey=service", body.replace("anonymous", "service"))
                        .statusCode())
                .isEqualTo(202);
        assertThat(member.broadcast().event()).isEqualTo("service");
    }

    @Test
    void earlierMessagesAreSentAgainToThoseWhoAskForThem() {
        realtime.database().asOwner(tenant, """
                SELECT svc_realtime.send('{"n": 1}'::jsonb, 'first', 'everybody');
                SELECT svc_realtime.send('{"n": 2, "id": "own"}'::jsonb, 'second', 'everybody', true);
                SELECT svc_realtime.send_binary('\\x0102'::bytea, 'third', 'everybody');
                SELECT svc_realtime.send('{}'::jsonb, 'public', 'everybody', false);
                """);
        RawClient client = realtime.first.connect(REF, "2.0.0");
        JsonObject replay = new JsonObject()
                .put("since", System.currentTimeMillis() - 60_000)
                .put("limit", 2);
        assertThat(join(client, "everybody", ANN, new JsonObject().put("replay", replay))
                        .getString("status"))
                .isEqualTo("ok");
        Received second = client.broadcast();
        assertThat(second.event()).as("the newest two, the oldest first").isEqualTo("second");
        assertThat(new JsonObject(second.payload())).isEqualTo(new JsonObject("{\"n\":2,\"id\":\"own\"}"));
        assertThat(new JsonObject(second.meta()).getBoolean("replayed")).isTrue();
        Received third = client.broadcast();
        assertThat(third.json()).isFalse();
        assertThat(third.payload().getBytes()).containsExactly(1, 2);
        assertThat(client.isSilent()).isTrue();

        JsonObject open = new JsonObject().put("broadcast", new JsonObject().put("replay", replay));
        assertThat(client.join("public topic", open).encode()).contains("UnableToReplayMessages");
    }

    @Test
    void aTopicOfAnyCharactersIsNoCode() {
        String topic = "'; DROP TABLE x; -- \\ \" ü " + ANN;
        RawClient client = joined(realtime.first, topic, ANN);
        assertThat(client.isSilent()).isTrue();
        RawClient nul = realtime.first.connect(REF, "2.0.0");
        assertThat(join(nul, "a\0b", ANN, new JsonObject()).getString("status")).isEqualTo("error");
        assertThat(realtime.first
                        .post(
                                REF,
                                "/api/broadcast/a%00b/events/e?private=true",
                                "application/json",
                                "{}".getBytes(StandardCharsets.UTF_8))
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void policiesThatAreDroppedReachOpenChannels() {
        String messages = tenant.names().realtime().sql() + ".messages";
        realtime.database()
                .asOperator("CREATE POLICY passing ON " + messages + " FOR SELECT TO "
                        + tenant.names().role(DatabaseRole.AUTHENTICATED).sql()
                        + " USING (svc_realtime.topic() = 'passing')");
        RawClient leaving = joined(realtime.first, "passing", BOB);
        RawClient staying = joined(realtime.first, ANN, ANN);
        // The first look takes the version, the second finds another one.
        realtime.first.projects.tick();
        realtime.database().asOperator("DROP POLICY passing ON " + messages);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            realtime.first.projects.tick();
            leaving.settle();
            return realtime.first.projects.channels() == 1;
        });
        staying.broadcast("2", ANN, "still", true, Buffer.buffer("{}"));
        assertThat(staying.reply("2").getString("status")).isEqualTo("ok");
    }
}
