package svc.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.service.RealtimeSpec;
import svc.platform.tenancy.Tenant;
import svc.realtime.RawClient.Received;

/** Broadcasts by request. */
@Timeout(60)
class RestBroadcastTest {
    private static final String REF = "rest2345";
    private static final String CROWDED = "crow2345";
    private static final String FEW = "few23456";
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

    private static RawClient member(String topic) {
        RawClient client = realtime.second.connect(REF, "2.0.0");
        client.join(topic, new JsonObject());
        return client;
    }

    private static JsonObject message(String topic, String event) {
        return new JsonObject().put("topic", topic).put("event", event).put("payload", new JsonObject().put("a", 1));
    }

    private static HttpResponse<String> batch(JsonObject... messages) {
        return batchOf(REF, messages);
    }

    private static HttpResponse<String> batchOf(String ref, JsonObject... messages) {
        JsonArray all = new JsonArray();
        for (JsonObject message : messages) {
            all.add(message);
        }
        return realtime.first.post(
                ref, "/api/broadcast", new JsonObject().put("messages", all).encode());
    }

    @Test
    void aBatchReachesItsRoomsInOrder() {
        RawClient member = member("batch");
        HttpResponse<String> answer = batch(message("batch", "one"), message("other", "x"), message("batch", "two"));
        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.body()).isEmpty();
        Received one = member.broadcast();
        assertThat(one.event()).isEqualTo("one");
        assertThat(one.payload().toString()).isEqualTo("{\"a\":1}");
        assertThat(member.broadcast().event()).isEqualTo("two");
    }

    @Test
    void aSingleMessageIsJsonOrBytes() {
        RawClient member = member("söng:1");
        String path = "/api/broadcast/s%C3%B6ng%3A1/events/a%20b";
        assertThat(realtime.first.post(REF, path, "[1]").statusCode()).isEqualTo(202);
        assertThat(realtime.first
                        .post(REF, path, "application/octet-stream", new byte[] {9})
                        .statusCode())
                .isEqualTo(202);
        Received json = member.broadcast();
        assertThat(json.event()).isEqualTo("a b");
        assertThat(json.payload().toString()).isEqualTo("[1]");
        assertThat(member.broadcast().payload().getBytes()).containsExactly(9);
        assertThat(realtime.first.post(REF, path, "text/plain", new byte[] {9}).statusCode())
                .isEqualTo(415);
        assertThat(realtime.first.post(REF, path, "{").statusCode()).isEqualTo(400);
    }

    @Test
    void aFaultyBatchSaysWhatIsWrongOfEachMessage() {
        HttpResponse<String> answer = batch(
                message("t", "e"),
                new JsonObject().put("event", 7).put("payload", "text"),
                message("t", "e").put("payload", "x".repeat(300 << 10)));
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(new JsonObject(answer.body())).isEqualTo(new JsonObject("""
                        {"errors": {"messages": [{}, {"topic": ["can't be blank"], "payload": ["is invalid"]},
                            {"payload": ["is invalid"]}]},
                            "message": "The messages are invalid"}"""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"messages\":[]}", "{\"messages\":7}", "{\"messages\":[7]}", "{\"messages\":[[]]}"})
    void aBodyWithoutMessagesIsUnprocessable(String body) {
        HttpResponse<String> answer = realtime.first.post(REF, "/api/broadcast", body);
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).startsWith("{\"errors\":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"messages\":[{]}", "\u0000"})
    void aBodyThatIsNoJsonIsABadRequest(String body) {
        assertThat(realtime.first.post(REF, "/api/broadcast", body).statusCode())
                .isEqualTo(400);
    }

    @Test
    void thereIsALimitOfMessagesAndOfABatch() {
        realtime.serve(tenant.withRealtime(new RealtimeSpec(true, false, 9, 9, 9, 1, 256, 9, 9)));
        JsonObject[] many = new JsonObject[6];
        java.util.Arrays.setAll(many, index -> message("t", "e"));
        HttpResponse<String> large = batch(many);
        assertThat(large.statusCode()).isEqualTo(429);
        assertThat(large.body())
                .isEqualTo("{\"message\":\"Too many messages to broadcast, please reduce the batch size\"}");
        HttpResponse<String> last = batch(message("t", "e"));
        for (int call = 0; call < 20 && last.statusCode() == 202; call++) {
            last = batch(message("t", "e"));
        }
        assertThat(last.statusCode()).isEqualTo(429);
        assertThat(last.body()).isEqualTo("{\"message\":\"You have exceeded your rate limit\"}");
    }

    @Test
    void deliveriesByRequestAreCountedAndCostNoChannel() {
        realtime.project(CROWDED, spec -> new RealtimeSpec(true, false, 1_000, 100, 1_000, 100, 256, 100, 10));
        for (int member = 0; member < 60; member++) {
            RawClient client = realtime.first.connect(CROWDED, "2.0.0");
            client.join("crowd", new JsonObject());
        }
        RawClient talker = realtime.first.connect(CROWDED, "2.0.0");
        talker.join("talk", new JsonObject().put("broadcast", new JsonObject().put("ack", true)));
        int refused = 0;
        for (int call = 0; call < 200; call++) {
            RealtimeForTests.Process process = call % 2 == 0 ? realtime.first : realtime.second;
            JsonObject body = new JsonObject().put("messages", new JsonArray().add(message("crowd", "flood")));
            if (process.post(CROWDED, "/api/broadcast", body.encode()).statusCode() == 429) {
                refused++;
            }
            if (call % 20 == 0) {
                talker.broadcast("b" + call, "talk", "still", true, io.vertx.core.buffer.Buffer.buffer("{}"));
                assertThat(talker.reply("b" + call).getString("status"))
                        .as("call %s", call)
                        .isEqualTo("ok");
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void aBatchOfMoreDeliveriesThanMayComeAtOnceIsRefused() {
        realtime.project(FEW, spec -> new RealtimeSpec(true, false, 1_000, 100, 1_000, 10, 256, 100, 10));
        for (int member = 0; member < 5; member++) {
            realtime.first.connect(FEW, "2.0.0").join("crowd", new JsonObject());
        }
        JsonObject[] many = new JsonObject[10];
        java.util.Arrays.setAll(many, index -> message("crowd", "e"));
        HttpResponse<String> large = batchOf(FEW, many);
        assertThat(large.statusCode()).isEqualTo(429);
        assertThat(large.body()).contains("please reduce the batch size");
        assertThat(batchOf(FEW, message("crowd", "e")).statusCode()).isEqualTo(202);
    }
}
