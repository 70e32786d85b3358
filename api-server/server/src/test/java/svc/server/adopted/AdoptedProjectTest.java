package svc.server.adopted;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.OpenApiMode;
import svc.crds.project.service.RestSpec;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/**
 * A database that served PostgREST is served unchanged, with its schemas, roles and tokens; the platform creates
 * nothing in it.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class AdoptedProjectTest {
    /** Of the tests that only read. */
    private static AdoptedDatabaseForTests unchanged;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private AdoptedDatabaseForTests database;

    private void onlyRead() {
        if (unchanged == null) {
            unchanged = AdoptedDatabaseForTests.adopt(client, tenants);
        }
        database = unchanged;
    }

    private void adopt() {
        database = AdoptedDatabaseForTests.adopt(client, tenants);
    }

    @Test
    void itsTokensNameItsRoles() {
        adopt();
        answers(database.http().get("/rest/v1/todos?select=task"), "[{\"task\":\"finish tutorial 0\"}]");
        Http ann = database.as(database.role("todo_user"), "ann");
        answers(ann.get("/rest/v1/todos?select=task"), "[{\"task\":\"pat self on back\"}]");
        Http.Answer made = ann.with("Prefer", "return=representation")
                .with("Content-Type", "application/json")
                .send("POST", "/rest/v1/todos?select=owner", "{\"task\":\"more\",\"owner\":\"ann\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(made.text()).isEqualTo("[{\"owner\":\"ann\"}]");
        Http service = database.as(database.role("service_role"), "");
        assertThat(service.get("/rest/v1/todos").json()).hasSize(3);
        answers(service.get("/rest/v1/about?select=role"), "[{\"role\":\"" + database.role("service_role") + "\"}]");
        // The platform's own anon key stands for the anonymous role.
        Http key = database.http().with("apikey", database.project().anonKey());
        answers(key.get("/rest/v1/todos?select=task"), "[{\"task\":\"finish tutorial 0\"}]");
    }

    @Test
    void theClaimsNameTheRoleInForce() {
        onlyRead();
        String anonymous = "[{\"claimed\":\"" + database.role("web_anon") + "\"}]";
        answers(database.http().get("/rest/v1/about?select=claimed"), anonymous);
        answers(
                database.http().with("apikey", database.project().anonKey()).get("/rest/v1/about?select=claimed"),
                anonymous);
        answers(
                database.as(database.role("todo_user"), "ann").get("/rest/v1/about?select=claimed"),
                "[{\"claimed\":\"" + database.role("todo_user") + "\"}]");
    }

    @Test
    void aRoleThatNoLoginMayTakeIsPostgrestsAnswer() {
        onlyRead();
        refused(database.as("nobody_at_all", "x").get("/rest/v1/todos"), 401, "22023");
        refused(database.as("none", "x").get("/rest/v1/todos"), 401, "22023");
        refused(database.as(database.role("stranger"), "x").get("/rest/v1/todos"), 403, "42501");
        refused(database.as(database.role("migrator"), "x").get("/rest/v1/todos"), 403, "42501");
        refused(database.as("a\\\"b; SET ROLE x", "x").get("/rest/v1/todos"), 401, "22023");
    }

    @Test
    void itsTokensAreNothingToAnotherProject() {
        onlyRead();
        var other = AdoptedDatabaseForTests.adopt(client, tenants);
        String token = database.token("{\"role\":\"" + other.role("service_role") + "\"}");
        refused(other.http().with("Authorization", "Bearer " + token).get("/rest/v1/todos"), 401, "PGRST301");
        Http.Answer key = other.http()
                .with("apikey", database.project().serviceKey())
                .with("Authorization", "Bearer " + database.project().serviceKey())
                .get("/rest/v1/todos");
        assertThat(key.status()).as(key.toString()).isEqualTo(401);
    }

    @Test
    void itsUsersStayWithTheServerThatTheyHave() {
        onlyRead();
        for (String path : new String[] {"/auth/v1/health", "/auth/v1/user", "/auth/v1/admin/users"}) {
            Http.Answer answer = database.as(database.role("service_role"), "").get(path);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(501);
            assertThat(answer.json().path("error_code").asText()).isEqualTo("not_implemented");
            assertThat(answer.json().path("msg").asText()).contains("accessToken");
        }
    }

    @Test
    void aRequestChoosesAmongTheExposedSchemas() {
        onlyRead();
        Http.Answer other = database.http().with("Accept-Profile", "other").get("/rest/v1/todos");
        answers(other, "[{\"title\":\"from the other schema\"}]");
        assertThat(other.header("Content-Profile")).hasValue("other");
        Http.Answer first = database.http().get("/rest/v1/todos?select=task");
        assertThat(first.header("Content-Profile")).hasValue("api");
        Http.Answer hidden = database.http().with("Accept-Profile", "private").get("/rest/v1/secrets");
        refused(hidden, 406, "PGRST106");
        assertThat(hidden.text()).contains("api, other");
        answers(database.http().get("/rest/v1/about?select=path"), "[{\"path\":\"\\\"api\\\", \\\"public\\\"\"}]");
    }

    @Test
    void theSearchPathFindsAPreRequest() {
        adopt();
        database.sql("CREATE FUNCTION api.checked() RETURNS void LANGUAGE sql AS"
                + " $$SELECT set_config('search_path', current_setting('search_path') || ', checked', true)$$;"
                + "GRANT EXECUTE ON FUNCTION api.checked() TO PUBLIC");
        database.settings(new RestSpec(
                null,
                List.of("api"),
                null,
                null,
                null,
                null,
                "checked",
                null,
                null,
                database.role("web_anon"),
                null,
                null,
                null));

        answers(
                database.http().get("/rest/v1/about?select=path"),
                "[{\"path\":\"\\\"api\\\", \\\"public\\\", checked\"}]");
    }

    @Test
    void anEmptySearchPathIsNotPublic() {
        adopt();
        database.sql(
                "CREATE FUNCTION public.shout(api.todos) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1.task)';"
                        + "GRANT EXECUTE ON FUNCTION public.shout TO PUBLIC");
        answers(database.http().get("/rest/v1/todos?select=shout"), "[{\"shout\":\"FINISH TUTORIAL 0\"}]");
        database.settings(database.settings(List.of(), 501, "api"));

        answers(database.http().get("/rest/v1/about?select=path"), "[{\"path\":\"\\\"api\\\"\"}]");
        refused(database.http().get("/rest/v1/todos?select=shout"), 400, "42703");
    }

    /** The login's own search path, in which the type is visible, is of no account. */
    @Test
    void typesAreDescribedWithTheirSchema() {
        adopt();
        database.sql("CREATE TYPE public.user_status AS ENUM ('on', 'off');"
                + "CREATE TABLE api.described (id int, status public.user_status DEFAULT 'on', history public.user_status[]);"
                + "GRANT SELECT ON api.described TO " + database.role("web_anon"));

        JsonNode properties = database.http().get("/rest/v1/").json().at("/definitions/described/properties");
        assertThat(properties.at("/status/format").asText()).isEqualTo("public.user_status");
        assertThat(properties.at("/status/default").asText()).isEqualTo("on");
        assertThat(properties.at("/history/format").asText()).isEqualTo("public.user_status[]");
    }

    @Test
    void ddlIsSeenWithoutANotification() {
        adopt();
        Http.Answer before = database.http().get("/rest/v1/later");
        refused(before, 404, "PGRST205");
        database.sql("CREATE TABLE api.later (id int); GRANT SELECT ON api.later TO " + database.role("web_anon"));
        answers(database.http().get("/rest/v1/later"), "[]");
        database.sql("ALTER TABLE api.later RENAME COLUMN id TO number; INSERT INTO api.later VALUES (1)");
        answers(database.http().get("/rest/v1/later?number=eq.1"), "[{\"number\":1}]");
        answers(database.http().get("/rest/v1/later?select=number"), "[{\"number\":1}]");
    }

    @Test
    void settingsHoldAtOnce() {
        adopt();
        String counted = "/rest/v1/todos?select=id.count()";
        refused(database.http().get(counted), 400, "PGRST123");
        assertThat(database.http().get("/rest/v1/").status()).isEqualTo(200);
        database.settings(new RestSpec(
                null,
                List.of("other"),
                List.of("api"),
                7,
                true,
                null,
                null,
                null,
                OpenApiMode.DISABLED,
                database.role("web_anon"),
                null,
                null,
                null));
        assertThat(database.http().get("/rest/v1/todos?select=title.count()").status())
                .isEqualTo(200);
        refused(database.http().get("/rest/v1/"), 404, "PGRST126");
        refused(database.http().with("Accept-Profile", "api").get("/rest/v1/todos"), 406, "PGRST106");
    }

    @Test
    void nothingOfOneRequestStaysForTheNext() {
        adopt();
        Http ann = database.as(database.role("todo_user"), "ann").with("Content-Type", "application/json");
        for (String command : List.of(
                "SET search_path = private",
                "LISTEN x",
                "CREATE TEMP TABLE todos (task text)",
                "SELECT pg_advisory_lock(7)",
                "SET SESSION statement_timeout = 1",
                "DEALLOCATE ALL")) {
            Http.Answer answer = ann.send("POST", "/rest/v1/mess", "{\"command\":\"" + command + "\"}");
            assertThat(answer.status()).as(command + " " + answer).isEqualTo(201);
            answers(database.http().get("/rest/v1/todos?select=task"), "[{\"task\":\"finish tutorial 0\"}]");
        }
        database.sql("DO 'BEGIN IF EXISTS (SELECT FROM pg_locks WHERE locktype = ''advisory'' AND objid = 7) THEN"
                + " RAISE ''a lock stayed''; END IF; END'");
    }

    @Test
    void anotherPasswordIsAnotherLogin() {
        adopt();
        answers(database.http().get("/rest/v1/todos?select=task"), "[{\"task\":\"finish tutorial 0\"}]");
        database.serve(EmbeddedPostgres.shared().port(), "not the password", false);
        refused(database.http().get("/rest/v1/todos?select=task"), 503, "PGRST000", "PGRST001", "PGRST002");
        database.serve(EmbeddedPostgres.shared().port(), AdoptedDatabaseForTests.PASSWORD, true);
        answers(database.http().get("/rest/v1/todos?select=task"), "[{\"task\":\"finish tutorial 0\"}]");
    }

    @Test
    void itsOwnerRunsSqlWithRealNames() {
        adopt();
        answers(run("CREATE TABLE api.made (id int); INSERT INTO api.made VALUES (4); SELECT * FROM api.made"), 201);
        Http.Answer read = run("SELECT session_user::text AS who FROM pg_catalog.pg_class LIMIT 1");
        assertThat(read.text()).contains(database.role("migrator"));
        answers(
                run("GRANT SELECT ON api.made TO " + database.role("web_anon") + "; NOTIFY pgrst, 'reload schema'"),
                201);
        answers(database.http().get("/rest/v1/made"), "[{\"id\":4}]");
        answers(run("SELECT * FROM private.secrets"), 400);
        assertThat(run("DELETE FROM pg_catalog.pg_class").code()).isEqualTo("sql_forbidden_object");
        assertThat(run("COPY api.made TO PROGRAM 'id'").code()).isEqualTo("sql_forbidden_statement");
    }

    @Test
    void migrationsAreAppliedOnce() {
        adopt();
        String body = "{\"name\":\"first\",\"query\":\"CREATE TABLE api.once (id int)\"}";
        String path = "/v1/projects/" + database.ref() + "/database/migrations";
        Http api = Http.api(TestingPlatform.ADMIN)
                .with("Content-Type", "application/json")
                .with("Idempotency-Key", "adopted-1");
        assertThat(api.send("POST", path, body).status()).isIn(200, 201);
        assertThat(api.send("POST", path, body).status()).isIn(200, 201);
    }

    @Test
    void withoutAnOwnerThereIsNoSql() {
        adopt();
        database.serve(EmbeddedPostgres.shared().port(), AdoptedDatabaseForTests.PASSWORD, false);
        Http.Answer answer = run("SELECT 1");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("sql_owner_missing");
        assertThat(answer.text()).contains("owner-user");
    }

    @Test
    void theProjectShowsItsFirstSchema() {
        onlyRead();
        Http.Answer answer = Http.api(TestingPlatform.ADMIN).get("/v1/projects/" + database.ref());
        assertThat(answer.text()).contains("\"schema\":\"api\"").contains("/rest/v1");
    }

    private Http.Answer run(String sql) {
        return Http.api(TestingPlatform.ADMIN)
                .with("Content-Type", "application/json")
                .send("POST", "/v1/projects/" + database.ref() + "/database/query", json(sql));
    }

    private static String json(String sql) {
        return new com.fasterxml.jackson.databind.ObjectMapper()
                .valueToTree(Map.of("query", sql))
                .toString();
    }

    private static void answers(Http.Answer answer, String body) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(body);
    }

    private static void answers(Http.Answer answer, int status) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    }

    private static void refused(Http.Answer answer, int status, String... codes) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.code()).isIn((Object[]) codes);
    }
}
