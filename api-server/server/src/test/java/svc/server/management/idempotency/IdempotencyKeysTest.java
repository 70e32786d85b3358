package svc.server.management.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import svc.database.name.SupabaseRef;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A call with an Idempotency-Key runs once, whatever it is, and costs other tokens nothing. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class IdempotencyKeysTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);
    private static final String REPLAYED = "idempotency-replayed";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase database;

    private final String key = "key " + UUID.randomUUID();

    private Http keyed(Http caller) {
        return caller.with("Idempotency-Key", key);
    }

    private static JsonNode token(String permissions) {
        Http.Answer answer =
                ADMIN.send("POST", "/v1/tokens", "{\"name\":\"keys\",\"permissions\":{" + permissions + "}}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json();
    }

    private static Http caller(JsonNode token) {
        return Http.api(token.path("token").asText());
    }

    private static long tokensNamed(String name) {
        return ADMIN.get("/v1/tokens").json().findValuesAsText("name").stream()
                .filter(name::equals)
                .count();
    }

    @Test
    void aRepetitionGetsTheFirstAnswerWithItsSecretThatTheDatabaseDoesNotHave() {
        String name = "once " + UUID.randomUUID();
        String body = "{\"name\":\"" + name + "\"}";

        Http.Answer first = keyed(ADMIN).send("POST", "/v1/tokens", body);
        Http.Answer second = keyed(ADMIN).send("POST", "/v1/tokens", body);
        Http.Answer underTheOtherPrefix = keyed(ADMIN).send("POST", "/api/tokens", body);

        assertThat(first.status()).as(first.toString()).isEqualTo(201);
        assertThat(first.header(REPLAYED)).isEmpty();
        for (Http.Answer replay : List.of(second, underTheOtherPrefix)) {
            assertThat(replay.status()).as(replay.toString()).isEqualTo(201);
            assertThat(replay.header(REPLAYED)).hasValue("true");
            assertThat(replay.header("content-type")).isEqualTo(first.header("content-type"));
            assertThat(replay.text()).isEqualTo(first.text());
            assertThat(replay.header("x-request-id")).isNotEqualTo(first.header("x-request-id"));
        }
        assertThat(tokensNamed(name)).isEqualTo(1);
        String secret = first.json().path("token").asText();
        List<byte[]> kept = database.query(
                SqlFragment.of("SELECT answer FROM svc_platform.idempotent_call WHERE answer IS NOT NULL"),
                row -> row.bytes("answer"));
        assertThat(kept)
                .isNotEmpty()
                .noneMatch(answer -> new String(answer, StandardCharsets.ISO_8859_1).contains(secret.substring(8)));
    }

    @Test
    void everyMethodHasKeysAndEmptyAnswersToo() {
        TestingProject project = TestingProject.create(client, tenants, "methods");
        String path = "/v1/projects/" + project.ref();
        for (String[] call : new String[][] {
            {"POST", path + "/secrets", "[{\"name\":\"WORD\",\"value\":\"x\"}]"},
            {"PATCH", path + "/config/realtime", "{\"max_concurrent_users\":7}"},
            {"PUT", path + "/functions/secrets", "{\"functionName\":\"f\",\"key\":\"WORD\",\"value\":\"x\"}"},
            {"DELETE", path + "/secrets", "[\"WORD\"]"},
            {"PATCH", path, "{\"name\":\"renamed\"}"},
            {"POST", path + "/pause", ""},
            {"POST", path + "/restore", ""}
        }) {
            Http caller = ADMIN.with("Idempotency-Key", UUID.randomUUID().toString());
            Http.Answer first = caller.send(call[0], call[1], call[2]);
            Http.Answer second = caller.send(call[0], call[1], call[2]);

            assertThat(first.status()).as(first.toString()).isLessThan(300);
            assertThat(second.status()).as(call[1] + second).isEqualTo(first.status());
            assertThat(second.header(REPLAYED)).as(call[1]).hasValue("true");
            assertThat(second.text()).isEqualTo(first.text());
            assertThat(second.header("etag")).isEqualTo(first.header("etag"));
        }
        Http.Answer read = keyed(ADMIN).get(path);
        assertThat(keyed(ADMIN).get(path).header(REPLAYED)).isEmpty();
        assertThat(read.status()).isEqualTo(200);
    }

    @Test
    void anotherCallUnderAKeyIsRefusedAndAnotherTokenHasKeysOfItsOwn() {
        String body = "{\"name\":\"first\"}";
        assertThat(keyed(ADMIN).send("POST", "/v1/tokens", body).status()).isEqualTo(201);

        for (Http.Answer other : List.of(
                keyed(ADMIN).send("POST", "/v1/tokens", "{\"name\":\"other\"}"),
                keyed(ADMIN).send("POST", "/v1/tokens?a=b", body),
                keyed(ADMIN).send("DELETE", "/v1/tokens/" + UUID.randomUUID(), body))) {
            assertThat(other.status()).as(other.toString()).isEqualTo(422);
            assertThat(other.code()).isEqualTo("idempotency_key_reused");
        }
        Http.Answer ofAnother = keyed(caller(token("\"tokens_manage\":true"))).send("POST", "/v1/tokens", body);
        assertThat(ofAnother.status()).as(ofAnother.toString()).isEqualTo(201);
        assertThat(ofAnother.header(REPLAYED)).isEmpty();
        for (String bad : new String[] {"x".repeat(256), ""}) {
            Http.Answer refused = ADMIN.with("Idempotency-Key", bad).send("POST", "/v1/tokens", body);
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        }
    }

    @Test
    void callsAtTheSameMomentRunOnce() throws Exception {
        String name = "race " + UUID.randomUUID();
        List<Future<Http.Answer>> calls = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 12; i++) {
                calls.add(threads.submit(() -> keyed(ADMIN).send("POST", "/v1/tokens", "{\"name\":\"" + name + "\"}")));
            }
        }
        int made = 0;
        for (Future<Http.Answer> call : calls) {
            Http.Answer answer = call.get();
            if (answer.status() == 409) {
                assertThat(answer.code()).isEqualTo("idempotency_key_in_use");
                assertThat(answer.header("retry-after")).isPresent();
            } else {
                assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
                made += answer.header(REPLAYED).isPresent() ? 0 : 1;
            }
        }
        assertThat(made).isEqualTo(1);
        assertThat(tokensNamed(name)).isEqualTo(1);
    }

    @Test
    void aRefusedOrThrottledCallFreesItsKey() {
        TestingProject project = TestingProject.create(client, tenants, "freed");
        Http caller = keyed(ADMIN);
        assertThat(caller.send("POST", project.path(), "{\"query\":\"selec 1\"}")
                        .status())
                .isEqualTo(400);
        Http.Answer corrected = caller.send("POST", project.path(), "{\"query\":\"select 1 as one\"}");
        assertThat(corrected.status()).as(corrected.toString()).isEqualTo(201);
        assertThat(corrected.header(REPLAYED)).isEmpty();

        Http other = ADMIN.with("Idempotency-Key", UUID.randomUUID().toString());
        Http.Answer last = corrected;
        for (int i = 0; i < 40 && last.status() != 429; i++) {
            last = ADMIN.send("POST", project.path(), "{\"query\":\"select 1 as one\"}");
        }
        for (int i = 0; i < 2; i++) {
            Http.Answer throttled = other.send("POST", project.path(), "{\"query\":\"select 2 as two\"}");
            assertThat(throttled.status()).as(throttled.toString()).isEqualTo(429);
            assertThat(throttled.code()).isEqualTo("rate_limit_exceeded");
            assertThat(throttled.header("retry-after")).isPresent();
            assertThat(throttled.header("x-ratelimit-limit")).hasValue("30");
            assertThat(throttled.header("x-ratelimit-remaining")).hasValue("0");
            assertThat(throttled.header("x-ratelimit-reset")).isPresent();
        }
        Http.Answer replay = caller.send("POST", project.path(), "{\"query\":\"select 1 as one\"}");
        assertThat(replay.status())
                .as("a replay runs nothing, so it counts against no limit")
                .isEqualTo(201);
        assertThat(replay.header(REPLAYED)).hasValue("true");
        assertThat(replay.header("x-ratelimit-limit")).isEmpty();
    }

    @Test
    void aCallWhoseAnswerIsTooLargeToBeKeptDoesNotRunAgain() {
        TestingProject project = TestingProject.create(client, tenants, "large");
        ADMIN.send("POST", project.path(), "{\"query\":\"create table once (id int)\"}");
        String body = "{\"query\":\"insert into once values (1); select repeat('x', 300000) as text\"}";

        Http smaller = ADMIN.with("Idempotency-Key", UUID.randomUUID().toString());
        for (boolean replayed : new boolean[] {false, true}) {
            Http.Answer kept =
                    smaller.send("POST", project.path(), "{\"query\":\"select repeat('x', 250000) as text\"}");
            assertThat(kept.status()).isEqualTo(201);
            assertThat(kept.header(REPLAYED).isPresent()).isEqualTo(replayed);
            assertThat(kept.text()).hasSizeGreaterThan(250_000);
        }

        assertThat(keyed(ADMIN).send("POST", project.path(), body).status()).isEqualTo(201);
        Http.Answer again = keyed(ADMIN).send("POST", project.path(), body);

        assertThat(again.status()).as(again.toString()).isEqualTo(409);
        assertThat(again.code()).isEqualTo("idempotency_answer_not_kept");
        assertThat(ADMIN.send("POST", project.path(), "{\"query\":\"select count(*)::int as n from once\"}")
                        .text())
                .isEqualTo("[{\"n\":1}]");
    }

    @Test
    void aTokenThatLostAPermissionDoesNotGetWhatItReadWithIt() {
        TestingProject project = TestingProject.create(client, tenants, "narrowed");
        JsonNode token = token("\"database_query\":true");
        Http caller = keyed(caller(token));
        String body = "{\"query\":\"select 'hush' as word\"}";
        assertThat(caller.send("POST", project.path(), body).status()).isEqualTo(201);
        assertThat(caller.send("POST", project.path(), body).text()).contains("hush");

        ADMIN.send("PATCH", "/v1/tokens/" + token.path("id").asText(), "{\"permissions\":{\"database_query\":false}}");

        Http.Answer after = caller.send("POST", project.path(), body);
        assertThat(after.status()).as(after.toString()).isEqualTo(409);
        assertThat(after.text()).doesNotContain("hush");
    }

    @Test
    void aRepetitionHasTheShapeOfTheFirstAnswerAndIsForTheSpellingThatMadeTheCall() {
        TestingProject project = TestingProject.create(client, tenants, "spelled");
        JsonNode token = token("\"projects_create\":true");
        String spelled = SupabaseRef.of(project.ref());
        String body = "{\"name\":\"by a spelling\"}";
        Http supabase = keyed(Http.api(token.path("supabase_cli_token").asText()));

        Http.Answer first = supabase.send("PATCH", "/v1/projects/" + spelled, body);
        Http.Answer second = supabase.send("PATCH", "/v1/projects/" + spelled, body);
        Http.Answer byRef = supabase.send("PATCH", "/v1/projects/" + project.ref(), body);

        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(first.json().path("ref").asText()).isEqualTo(spelled);
        for (Http.Answer replay : List.of(second, byRef)) {
            assertThat(replay.header(REPLAYED)).as(replay.toString()).hasValue("true");
            assertThat(replay.text()).isEqualTo(first.text());
        }
        Http.Answer inTheOther = keyed(caller(token)).send("PATCH", "/v1/projects/" + spelled, body);
        assertThat(inTheOther.code()).as(inTheOther.toString()).isEqualTo("idempotency_answer_not_kept");
    }

    @Test
    void aFloodOfKeysIsRefusedAndANeighbourKeepsItsOwn() {
        JsonNode flooding = token("\"tokens_manage\":true");
        database.update(
                SqlFragment.of(
                        "INSERT INTO svc_platform.idempotent_call (token_id, key_hash, organisation_id, call_hash,"
                                + " claim, started_at, expires_at, status) SELECT ?::uuid, sha256(i::text::bytea), 'flood',"
                                + " sha256('x'), gen_random_uuid(), now(), now() + interval '1 hour', 200"
                                + " FROM generate_series(1, 5000) AS i"),
                UUID.fromString(flooding.path("id").asText()));

        Http.Answer refused = keyed(caller(flooding)).send("POST", "/v1/tokens", "{\"name\":\"more\"}");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("idempotency_keys_exhausted");
        assertThat(refused.header("retry-after")).isPresent();
        assertThat(caller(flooding)
                        .send("POST", "/v1/tokens", "{\"name\":\"more\"}")
                        .status())
                .as("without a key")
                .isEqualTo(201);
        Http neighbour = keyed(caller(token("\"tokens_manage\":true")));
        assertThat(neighbour.send("POST", "/v1/tokens", "{\"name\":\"n\"}").status())
                .isEqualTo(201);
        assertThat(neighbour.send("POST", "/v1/tokens", "{\"name\":\"n\"}").header(REPLAYED))
                .hasValue("true");
    }
}
