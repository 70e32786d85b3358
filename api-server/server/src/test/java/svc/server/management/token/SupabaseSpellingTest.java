package svc.server.management.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.database.sql.SqlFragment;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** A token in Supabase's form is the token itself: with its rights, as long as it lives, and as hard to guess. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class SupabaseSpellingTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    @Inject
    PlatformDatabase database;

    private static JsonNode create(String body) {
        Http.Answer answer = ADMIN.send("POST", "/v1/tokens", body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json();
    }

    private static String spelling(JsonNode token) {
        return token.get("supabase_cli_token").asText();
    }

    private static byte[] sha256(String text) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** As docs/agents.md tells the owner of a token to compute it. */
    private static String computed(String token) throws Exception {
        return "sbp_" + HexFormat.of().formatHex(sha256("supabase:" + token)).substring(0, 40);
    }

    private static void assertRefused(String presented, String code) {
        Http.Answer answer = Http.api(presented).get("/v1/projects");
        assertThat(answer.status()).as(presented + answer).isEqualTo(401);
        assertThat(answer.code()).as(presented).isEqualTo(code);
        if (presented.length() > 20) {
            assertThat(answer.text()).doesNotContain(presented.substring(4));
        }
    }

    @Test
    void itHasTheRightsOfItsToken() throws Exception {
        JsonNode token = create("{\"name\":\"spelled\"}");
        String path = "/v1/tokens/" + token.get("id").asText();

        assertThat(spelling(token))
                .matches("sbp_[a-f0-9]{40}")
                .isEqualTo(computed(token.get("token").asText()));
        Http spelled = Http.api(spelling(token));
        assertThat(spelled.get("/v1/projects").status()).isEqualTo(200);
        assertThat(spelled.send("POST", "/v1/projects", "{\"name\":\"x\"}").code())
                .isEqualTo("pat_projects_create_forbidden");
        assertThat(spelled.get("/v1/tokens").code()).isEqualTo("pat_tokens_manage_forbidden");
        assertThat(spelled.get(path).json().get("id")).isEqualTo(token.get("id"));
        ADMIN.send("PATCH", path, "{\"permissions\":{\"projects_create\":true}}");
        assertThat(spelled.send("POST", "/v1/projects", "{\"name\":\"x\"}").status())
                .isEqualTo(201);
    }

    @Test
    void itIsShownOnceAndKeptAsAHash() throws Exception {
        JsonNode token = create("{\"name\":\"kept\",\"permissions\":{\"database_query\":true}}");
        String body = spelling(token).substring(4);
        Http.api(spelling(token))
                .send(
                        "POST",
                        "/v1/projects/" + ProjectForTests.create("logged").ref() + "/database/query",
                        "{\"query\":\"x\"}");

        assertThat(ADMIN.get("/v1/tokens/" + token.get("id").asText()).text()).doesNotContain(body);
        assertThat(ADMIN.get("/v1/tokens").text()).doesNotContain(body);
        for (SqlFragment rows : List.of(
                SqlFragment.of("SELECT t::text AS whole FROM svc_platform.token AS t"),
                SqlFragment.of("SELECT t::text AS whole FROM svc_platform.sql_call AS t"))) {
            List<String> whole = database.query(rows, row -> row.text("whole"));
            assertThat(whole).isNotEmpty().noneMatch(row -> row.contains(body));
        }
        String stored = HexFormat.of().formatHex(sha256(spelling(token)));
        assertThat(database.query(
                        SqlFragment.of("SELECT supabase_hash AS hash FROM svc_platform.token WHERE id = ?"),
                        row -> HexFormat.of().formatHex(row.bytes("hash")),
                        UUID.fromString(token.get("id").asText())))
                .containsExactly(stored);
        // A stored hash is no token: neither this one nor that of the ordinary spelling.
        assertRefused("sbp_" + stored.substring(0, 40), "token_unknown");
        assertRefused(
                "sbp_"
                        + HexFormat.of()
                                .formatHex(sha256(token.get("token").asText()))
                                .substring(0, 40),
                "token_unknown");
    }

    @Test
    void itEndsWithItsToken() {
        JsonNode revoked = create("{\"name\":\"revoked\"}");
        JsonNode neighbour = create("{\"name\":\"neighbour\"}");
        JsonNode expired = create("{\"name\":\"expired\"}");

        ADMIN.send("DELETE", "/v1/tokens/" + revoked.get("id").asText());
        database.update(
                SqlFragment.of("UPDATE svc_platform.token SET expires_at = created_at + interval '1 microsecond'"
                        + " WHERE id = ?"),
                UUID.fromString(expired.get("id").asText()));

        assertRefused(spelling(revoked), "token_revoked");
        assertRefused(spelling(expired), "token_expired");
        assertThat(Http.api(spelling(neighbour)).get("/v1/projects").status()).isEqualTo(200);
    }

    @Test
    void otherTextsAreNoToken() {
        String spelling = spelling(create("{\"name\":\"exact\"}"));
        String body = spelling.substring(4);

        assertRefused("sbp_" + "0".repeat(40), "token_unknown");
        for (String text : new String[] {
            "sbp_" + body.toUpperCase(Locale.ROOT) + "A",
            "sbp_" + body.toUpperCase(Locale.ROOT).replace('0', 'A'),
            "SBP_" + body,
            "sbp_oauth_" + body,
            "sbp_v0_" + body,
            "sbp_" + body.substring(1),
            "sbp_" + body + "0",
            "svc_pat_" + body,
            "sbp_" + "g".repeat(40),
            "sbp_"
        }) {
            assertRefused(text, "token_malformed");
        }
    }

    @Test
    void anOlderTokenHasItFromItsNextUseOn() throws Exception {
        JsonNode token = create("{\"name\":\"older\"}");
        String older = token.get("token").asText();
        // A row from before the column.
        database.update(
                SqlFragment.of("UPDATE svc_platform.token SET supabase_hash = NULL WHERE id = ?"),
                UUID.fromString(token.get("id").asText()));
        assertRefused(computed(older), "token_unknown");

        assertThat(Http.api(older).get("/v1/projects").status()).isEqualTo(200);

        assertThat(Http.api(computed(older)).get("/v1/projects").status()).isEqualTo(200);
    }

    @Test
    void aForeignOneReachesNothing() {
        String slug = "spelled-" + Long.toString(System.nanoTime(), 36);
        Http.Answer made = ADMIN.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\",\"name\":\"Other\"}");
        Http foreigner = Http.api(made.json().at("/token/supabase_cli_token").asText());
        String ref = ProjectForTests.create("mine").ref();

        assertThat(foreigner.get("/v1/organizations").json().at("/0/slug").asText())
                .isEqualTo(slug);
        assertThat(foreigner.get("/v1/projects/" + ref).code()).isEqualTo("project_not_found");
        assertThat(foreigner.get("/v1/projects").json()).isEmpty();
    }
}
