package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/**
 * The calls that Supabase's Terraform provider makes for each of its resources, in its order, with what it insists on: exact
 * statuses, members of exact types, and that a setting reads as it was written, because Terraform takes anything else for a
 * failed apply or for a change from outside.
 */
@ExtendWith(SharedPlatform.class)
class TerraformProviderTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** It goes on polling at other states, and gives up at those that are not here. */
    private static final Set<String> TRANSIENT = Set.of(
            "ACTIVE_UNHEALTHY", "RESTORING", "COMING_UP", "UPGRADING", "PAUSING", "RESIZING", "RESTARTING", "UNKNOWN");

    private static final Set<String> SECRETS = Set.of("external_github_secret", "smtp_pass");

    private static final String SERVICES = "?services=auth&services=db&services=db_postgres_user&services=pg_bouncer"
            + "&services=pooler&services=realtime&services=rest&services=storage";

    private String endpoint;
    private String token;
    private String region;

    @BeforeEach
    void configureTheProvider(Platform platform) throws IOException {
        String base = platform.connection().baseUrl();
        endpoint = base.substring(0, base.lastIndexOf("/v1"));
        token = platform.controlPlane()
                .post(
                        "/tokens",
                        Map.of(
                                "name",
                                "terraform",
                                "permissions",
                                Map.of("projects_create", true, "database_query", true, "edge_functions", true)))
                .expect(201)
                .json()
                .get("supabase_cli_token")
                .asText();
        region = call("GET", "/v1/projects/available-regions", "", 200)
                .at("/all/specific/0/code")
                .asText();
    }

    private Answer send(String method, String path, String body) throws IOException {
        return ControlPlane.send(HttpRequest.newBuilder(URI.create(endpoint + path))
                .header("Authorization", "Bearer " + token)
                .header("User-Agent", "TFProvider/1.9.0")
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    /** The provider decodes a body whose content type speaks of JSON, and only with the status that it expects. */
    private JsonNode call(String method, String path, String body, int status) throws IOException {
        Answer answer = send(method, path, body).expect(status);
        assertThat(answer.header("content-type"))
                .hasValueSatisfying(type -> assertThat(type).contains("json"));
        return answer.json();
    }

    private String applied() throws Exception {
        JsonNode created = call("POST", "/v1/projects", """
                {"db_pass":"bad-password-1","name":"terraform","organization_slug":"default",
                 "region_selection":{"code":"%s","type":"specific"}}""".formatted(region), 201);
        String id = text(created, "id");
        waitForProject(id);
        return "/v1/projects/" + id;
    }

    private static void eventually(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + SharedPlatform.MAX_WAIT.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("out of patience").isLessThan(end);
            Thread.sleep(100);
        }
    }

    private void waitForProject(String id) throws Exception {
        eventually(() -> {
            String status = text(call("GET", "/v1/projects/" + id, "", 200), "status");
            assertThat(status)
                    .satisfiesAnyOf(
                            seen -> assertThat(seen).isEqualTo("ACTIVE_HEALTHY"),
                            seen -> assertThat(TRANSIENT).contains(seen));
            return status.equals("ACTIVE_HEALTHY");
        });
    }

    private static String text(JsonNode object, String member) {
        assertThat(object.path(member).isTextual()).as(member + " of " + object).isTrue();
        return object.get(member).asText();
    }

    /** What the provider keeps as its state: the members that the configuration has, at any depth; secrets from there. */
    private static JsonNode picked(JsonNode read, JsonNode written) {
        var picked = JSON.createObjectNode();
        written.properties()
                .forEach(member -> picked.set(
                        member.getKey(),
                        SECRETS.contains(member.getKey())
                                ? member.getValue()
                                : member.getValue().isObject()
                                        ? picked(read.path(member.getKey()), member.getValue())
                                        : read.path(member.getKey())));
        return picked;
    }

    @Test
    void aProjectIsCreatedReadWithoutADifferenceImportedAndDestroyed() throws Exception {
        String project = applied();
        for (int refresh = 0; refresh < 2; refresh++) {
            JsonNode read = call("GET", project, "", 200);
            assertThat(text(read, "organization_id")).isEqualTo("default");
            assertThat(text(read, "name")).isEqualTo("terraform");
            assertThat(text(read, "region")).isEqualTo(region);
            assertThat(text(read, "created_at")).isNotEmpty();
            JsonNode addons = call("GET", project + "/billing/addons", "", 200);
            assertThat(addons.toString()).isEqualTo("{\"selected_addons\":[],\"available_addons\":[]}");
        }
        JsonNode deleted = call("DELETE", project, "", 200);
        assertThat(deleted.path("id").isIntegralNumber()).as(deleted.toString()).isTrue();
        eventually(() -> send("GET", project, "").status() == 404);
        assertThat(send("DELETE", project, "").status()).isEqualTo(404);
    }

    @Test
    void settingsReadAsTheyWereWritten() throws Exception {
        String project = applied();
        // On a busy machine the database may answer later than one check waits.
        eventually(() -> {
            JsonNode health = call("GET", project + "/health" + SERVICES, "", 200);
            assertThat(health.findValuesAsText("status")).hasSize(8);
            return Set.copyOf(health.findValuesAsText("status")).equals(Set.of("ACTIVE_HEALTHY"));
        });

        for (String rows : new String[] {"1000", "100"}) {
            unchanged(
                    project + "/postgrest",
                    "{\"db_extra_search_path\":\"public,extensions\",\"db_schema\":\"public,graphql_public\",\"max_rows\":"
                            + rows + "}");
        }
        for (String expiry : new String[] {"3600", "1800"}) {
            unchanged(project + "/config/auth", """
                    {"disable_signup":true,"external_github_client_id":"id","external_github_enabled":true,
                     "external_github_secret":"hush","jwt_exp":%s,
                     "mailer_otp_exp":3600,"sessions_timebox":24,"site_url":"http://localhost:3000","smtp_admin_email":"a@b.example",
                     "smtp_host":"mail.example","smtp_pass":"hush","smtp_port":"587","smtp_user":"u","sms_otp_length":6,
                     "uri_allow_list":"https://a.example/*,https://b.example"}""".formatted(expiry));
        }
        for (String limit : new String[] {"52428800", "1048576"}) {
            unchanged(
                    project + "/config/storage",
                    "{\"features\":{\"imageTransformation\":{\"enabled\":true},\"s3Protocol\":{\"enabled\":false}},"
                            + "\"fileSizeLimit\":" + limit + "}");
        }
        // An import reads them all: what a project does not have is passed over.
        for (String absent : new String[] {"/config/database/postgres", "/network-restrictions", "/ssl-enforcement"}) {
            assertThat(send("GET", project + absent, "").status()).as(absent).isEqualTo(404);
        }
        send("DELETE", project, "").expect(200);
        eventually(() -> send("GET", project + "/postgrest", "").status() == 404
                && send("GET", project + "/config/auth", "").status() == 404
                && send("GET", project + "/config/storage", "").status() == 404);
    }

    private void unchanged(String path, String settings) throws IOException {
        JsonNode written = JSON.readTree(settings);
        assertThat(picked(call("PATCH", path, settings, 200), written)).isEqualTo(written);
        assertThat(picked(call("GET", path, "", 200), written)).isEqualTo(written);
    }

    @Test
    void aFunctionIsDeployedChangedAndDeleted() throws Exception {
        String project = applied();
        String path = project + "/functions";
        for (int version = 1; version <= 2; version++) {
            JsonNode deployed = JSON.readTree(
                    deploy(path + "/deploy?slug=hello", version).expect(201).body());
            assertThat(text(deployed, "name")).isEqualTo("hello");
            assertThat(text(deployed, "status")).isEqualTo("ACTIVE");
            assertThat(deployed.path("version").asInt()).isEqualTo(version);
            JsonNode read = call("GET", path + "/hello", "", 200);
            for (String member : new String[] {"version", "created_at", "updated_at"}) {
                assertThat(read.path(member).isIntegralNumber()).as(member).isTrue();
                assertThat(read.get(member)).as(member).isEqualTo(deployed.get(member));
            }
            assertThat(text(read, "id")).isEqualTo(text(deployed, "id"));
        }
        send("DELETE", path + "/hello", "").expect(200);
        assertThat(send("GET", path + "/hello", "").status()).isEqualTo(404);
        assertThat(send("DELETE", path + "/hello", "").status()).isEqualTo(404);
    }

    /** The files come before the metadata, which has the base name of the entrypoint. */
    private Answer deploy(String path, int version) throws IOException {
        String form = """
                --tf\r
                Content-Disposition: form-data; name="file"; filename="index.ts"\r
                Content-Type: application/octet-stream\r
                \r
                Deno.serve(() => new Response("version %d"));\r
                --tf\r
                Content-Disposition: form-data; name="metadata"\r
                \r
                {"entrypoint_path":"index.ts","name":"hello"}\r
                --tf--\r
                """.formatted(version);
        return ControlPlane.send(HttpRequest.newBuilder(URI.create(endpoint + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "multipart/form-data; boundary=tf")
                .POST(BodyPublishers.ofString(form)));
    }

    @Test
    void keysSecretsAndMigrationsAreRead() throws Exception {
        String project = applied();
        JsonNode keys = call("GET", project + "/api-keys?reveal=true", "", 200);
        assertThat(keys.findValuesAsText("type")).containsExactly("publishable", "secret");
        keys.forEach(key -> assertThat(text(key, "api_key")).isNotEmpty());

        send("POST", project + "/secrets", "[{\"name\":\"WORD\",\"value\":\"x\"},{\"name\":\"OTHER\",\"value\":\"y\"}]")
                .expect(201);
        send("DELETE", project + "/secrets", "[\"OTHER\"]").expect(200);
        JsonNode secrets = call("GET", project + "/secrets", "", 200);
        assertThat(secrets.findValuesAsText("name")).containsExactly("WORD");
        // It compares the digest with that of its configuration, x.
        assertThat(secrets.findValuesAsText("value"))
                .containsExactly("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");

        Answer applied = send(
                "POST",
                project + "/database/migrations",
                "{\"name\":\"001_todos.sql\",\"query\":\"create table todos (id int primary key)\"}");
        assertThat(applied.status()).as(applied.toString()).isBetween(200, 299);
    }

    @Test
    void aBranchIsCreatedRenamedAndDeleted() throws Exception {
        String project = applied();
        call("GET", project + "/branches", "", 200);
        JsonNode created =
                call("POST", project + "/branches", "{\"branch_name\":\"preview\",\"git_branch\":\"preview\"}", 201);
        String id = UUID.fromString(text(created, "id")).toString();
        assertThat("/v1/projects/" + text(created, "parent_project_ref")).isEqualTo(project);
        String branch = "/v1/branches/" + id;
        JsonNode read = call("GET", branch, "", 200);
        text(read, "ref");
        text(read, "status");
        JsonNode renamed = call("PATCH", branch, "{\"branch_name\":\"other\",\"git_branch\":\"other\"}", 200);
        assertThat(text(renamed, "git_branch")).isEqualTo("other");
        assertThat(call("GET", project + "/branches", "", 200).findValuesAsText("id"))
                .containsExactly(id);
        send("DELETE", branch, "").expect(200);
    }
}
