package svc.server.management.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import svc.database.sql.SqlFragment;
import svc.management.token.AdminToken;
import svc.management.token.Permission;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.PlatformTables;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class TokenLifeTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    @Inject
    PlatformDatabase database;

    @Inject
    AdminToken adminToken;

    private static JsonNode create(String body) {
        Http.Answer answer = ADMIN.send("POST", "/v1/tokens", body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json();
    }

    private static String secret(JsonNode token) {
        return token.get("token").asText();
    }

    private static void assertForbidden(Http.Answer answer, String code) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.json().get("hint").asText()).contains("PATCH /v1/tokens/");
        assertThat(answer.json().get("missing_permissions").toString())
                .isEqualTo("[\"" + code.replaceAll("^pat_|_forbidden$", "") + "\"]");
    }

    @Test
    void everyPermissionIsOffAtFirst() {
        JsonNode token = create("{\"name\":\"plain\"}");

        assertThat(token.get("permissions"))
                .hasSize(Permission.values().length)
                .allSatisfy(on -> assertThat(on.asBoolean()).isFalse());
        Http plain = Http.api(secret(token));
        assertThat(plain.get("/v1/projects").status()).isEqualTo(200);
        assertForbidden(plain.send("POST", "/v1/projects", "{\"name\":\"x\"}"), "pat_projects_create_forbidden");
        assertForbidden(plain.send("POST", "/v1/projects", "nonsense"), "pat_projects_create_forbidden");
        assertForbidden(plain.send("POST", "/v1/tokens", "{\"name\":\"x\"}"), "pat_tokens_manage_forbidden");
        assertForbidden(plain.get("/v1/tokens"), "pat_tokens_manage_forbidden");
        assertForbidden(
                plain.send("POST", "/v1/organizations", "{\"slug\":\"x\"}"), "pat_organizations_create_forbidden");
    }

    @Test
    void theSecretIsShownOnceAndKeptAsAHash() {
        JsonNode token = create("{\"name\":\"secret\"}");
        String secret = secret(token);

        assertThat(secret).startsWith("svc_pat_");
        assertThat(ADMIN.get("/v1/tokens/" + token.get("id").asText()).text()).doesNotContain(secret);
        assertThat(ADMIN.get("/v1/tokens").text()).doesNotContain(secret);
        List<String> rows = database.query(
                SqlFragment.of("SELECT t::text AS whole FROM svc_platform.token AS t"), row -> row.text("whole"));
        assertThat(rows).noneMatch(row -> row.contains(secret.substring(8)));
    }

    @Test
    void aPermissionThatIsSwitchedHoldsAtOnceAndTheSecretStays() {
        JsonNode token = create("{\"name\":\"later\"}");
        Http later = Http.api(secret(token));
        String path = "/v1/tokens/" + token.get("id").asText();
        assertForbidden(later.send("POST", "/v1/projects", "{\"name\":\"x\"}"), "pat_projects_create_forbidden");

        ADMIN.send("PATCH", path, "{\"permissions\":{\"projects_create\":true,\"database_query\":true}}");

        assertThat(later.send("POST", "/v1/projects", "{\"name\":\"later\"}").status())
                .isEqualTo(201);

        JsonNode off = ADMIN.send("PATCH", path, "{\"permissions\":{\"projects_create\":false}}")
                .json();

        assertThat(off.at("/permissions/database_query").asBoolean()).isTrue();
        assertForbidden(later.send("POST", "/v1/projects", "{\"name\":\"x\"}"), "pat_projects_create_forbidden");
    }

    @Test
    void aRevokedTokenIsRefusedAtOnceAndForGood() {
        JsonNode token = create("{\"name\":\"revoked\",\"permissions\":{\"projects_create\":true}}");
        Http revoked = Http.api(secret(token));
        String path = "/v1/tokens/" + token.get("id").asText();
        assertThat(revoked.get("/v1/projects").status()).isEqualTo(200);

        assertThat(ADMIN.send("DELETE", path).status()).isEqualTo(200);

        Http.Answer refused = revoked.get("/v1/projects");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.code()).isEqualTo("token_revoked");
        assertThat(ADMIN.send("PATCH", path, "{\"name\":\"again\"}").code()).isEqualTo("token_not_active");
        JsonNode again = ADMIN.send("DELETE", path).json();
        assertThat(again.get("revoked_at")).isEqualTo(ADMIN.get(path).json().get("revoked_at"));
    }

    @Test
    void anExpiredTokenIsRefused() throws SQLException {
        Instant end = Instant.now().plus(Duration.ofHours(1));
        JsonNode token = create("{\"name\":\"short\",\"expires_at\":\"" + end + "\"}");
        Http expiring = Http.api(secret(token));
        assertThat(expiring.get("/v1/projects").status()).isEqualTo(200);

        PlatformTables.execute("UPDATE svc_platform.token SET expires_at = expires_at - interval '1 hour' WHERE id = '"
                + token.get("id").asText() + "'");

        Http.Answer refused = expiring.get("/v1/projects");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.code()).isEqualTo("token_expired");
    }

    @Test
    void preparingForCiGivesThreePermissionsAndAnEnd() {
        JsonNode token = create("{\"name\":\"ci\"}");

        JsonNode ready = ADMIN.send("POST", "/v1/tokens/" + token.get("id").asText() + "/prepare-for-ci")
                .json();

        assertThat(ready.at("/permissions/database_query").asBoolean()).isTrue();
        assertThat(ready.at("/permissions/projects_create").asBoolean()).isTrue();
        assertThat(ready.at("/permissions/edge_functions").asBoolean()).isTrue();
        assertThat(ready.at("/permissions/tokens_manage").asBoolean()).isFalse();
        assertThat(Instant.parse(ready.get("expires_at").asText()))
                .isBetween(
                        Instant.now().plus(Duration.ofDays(89)), Instant.now().plus(Duration.ofDays(91)));
    }

    @Test
    void whatATokenCannotBe() {
        for (String body : new String[] {
            "{}",
            "{\"name\":\"\"}",
            "{\"name\":\"a\\u0007\"}",
            "{\"name\":\"a\\ud800\"}",
            "{\"name\":\"" + "x".repeat(101) + "\"}",
            "{\"name\":\"a\",\"permissions\":{\"root\":true}}",
            "{\"name\":\"a\",\"permissions\":{\"database_query\":null}}",
            "{\"name\":\"a\",\"permissions\":{\"database_query\":\"true\"}}",
            "{\"name\":\"a\",\"permissions\":[]}",
            "{\"name\":\"a\",\"expires_at\":\"tomorrow\"}",
            "{\"name\":\"a\",\"expires_at\":\"2001-01-01T00:00:00Z\"}"
        }) {
            Http.Answer answer = ADMIN.send("POST", "/v1/tokens", body);
            assertThat(answer.status()).as(body + answer).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("invalid_body");
            assertThat(answer.json().get("request_id").asText()).isNotBlank();
        }
    }

    @Test
    void aTokenGrantsNoMoreThanItsOrganisation() {
        JsonNode manager = create("{\"name\":\"manager\",\"permissions\":{\"tokens_manage\":true}}");

        Http.Answer answer = Http.api(secret(manager))
                .send("POST", "/v1/tokens", "{\"name\":\"x\",\"permissions\":{\"organizations_create\":true}}");

        assertForbidden(answer, "pat_organizations_create_forbidden");
    }

    @Test
    void handingInTheAdminTokenAgainChangesNothing() {
        int before = ADMIN.get("/v1/tokens").json().size();

        assertThat(adminToken.ensure(Optional.of(TestingPlatform.ADMIN)).reveal())
                .isEqualTo(TestingPlatform.ADMIN);

        assertThat(ADMIN.get("/v1/tokens").json()).hasSize(before);
    }
}
