package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Several links for secrets at the same time: their pages, their number, and what the tool says of each. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class McpSecretLinksTest {
    private static final McpClient ADMIN = McpClient.of(TestingPlatform.ADMIN);
    private static final Http API = Http.api(TestingPlatform.ADMIN);
    private static final String TOOL = "create_edge_function_secret";

    @Inject
    KubernetesClient kubernetes;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase database;

    private String project() {
        return TestingProject.create(kubernetes, tenants, "links").ref();
    }

    private static Http.Answer opened(String ref, String name) {
        return SecretEntryPages.open(SecretEntryPages.path(ADMIN.text(TOOL, Map.of("project_id", ref, "name", name))));
    }

    @Test
    void pagesThatAreOpenAtTheSameTimeInOneBrowserAreAllStored() {
        String ref = project();
        Http.Answer first = opened(ref, "FIRST");
        Http.Answer second = opened(ref, "SECOND");
        Http browser = SignIn.stranger().with("Cookie", SignIn.cookie(first) + "; " + SignIn.cookie(second));

        for (Http.Answer page : new Http.Answer[] {first, second}) {
            Http.Answer done =
                    SecretEntryPages.send(browser, SecretEntryPages.filled(page, TestingPlatform.ADMIN, "value"));
            assertThat(done.status()).as(done.toString()).isEqualTo(200);
        }
        assertThat(API.get("/v1/projects/" + ref + "/secrets").json().findValuesAsText("name"))
                .containsExactlyInAnyOrder("FIRST", "SECOND");
    }

    @Test
    void aSecretThatIsNotThereIsNotReportedAsStored() {
        String ref = project();
        McpClient mcp = ADMIN.of2026().at("project_ref=" + ref);
        ObjectNode call = McpClient.call(TOOL, Map.of("name", "REMOVED"));
        JsonNode asked = mcp.opening("tools/call", call);
        String path = SecretEntryPages.path(
                asked.at("/inputRequests/store_secret/params/url").asText());
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, "value").status())
                .isEqualTo(200);
        Http.Answer removed = API.send("DELETE", "/v1/projects/" + ref + "/secrets", "[\"REMOVED\"]");
        assertThat(removed.status()).as(removed.toString()).isEqualTo(200);

        call.put("requestState", asked.get("requestState").asText());
        call.putObject("inputResponses").putObject("store_secret").put("action", "accept");
        assertThat(mcp.opening("tools/call", call).at("/content/0/text").asText())
                .contains("\"stored\":false");
    }

    /** As after a failure between the two resources of a secret. */
    @Test
    void aSecretWhoseValueWasNeverStoredCanBeEntered() {
        String ref = project();
        Http.Answer set =
                API.send("POST", "/v1/projects/" + ref + "/secrets", "[{\"name\":\"HALF\",\"value\":\"lost\"}]");
        assertThat(set.status()).as(set.toString()).isEqualTo(201);
        assertThat(kubernetes
                        .secrets()
                        .inAnyNamespace()
                        .withLabels(Map.of("svc.platform/ref", ref, "svc.platform/purpose", "function-secret"))
                        .delete())
                .hasSize(1);

        String path = SecretEntryPages.path(ADMIN.text(TOOL, Map.of("project_id", ref, "name", "HALF")));
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, "value").status())
                .isEqualTo(200);
        assertThat(ADMIN.text(TOOL, Map.of("project_id", ref, "name", "HALF"))).contains("\"stored\":true");
    }

    @Test
    void aTokenWithAllThatItMadeHasAHundredOpenLinks() {
        String ref = project();
        JsonNode parent = API.send("POST", "/v1/tokens", "{\"name\":\"p\",\"permissions\":{\"edge_functions\":true}}")
                .json();
        // As those of tokens that a client renewed again and again.
        database.update(
                SqlFragment.of("INSERT INTO svc_platform.secret_entry (hash, organisation_id, project_id, ref, name,"
                        + " replaces, token_id, parent_id, client, created_at, expires_at)"
                        + " SELECT sha256(gen_random_uuid()::text::bytea), 'default', gen_random_uuid(), ?::text, 'NAME',"
                        + " false, gen_random_uuid(), ?::uuid, 'client', now(), now() + interval '10 minutes'"
                        + " FROM generate_series(1, 100)"),
                ref,
                UUID.fromString(parent.get("id").asText()));
        McpClient agent = McpClient.of(parent.get("token").asText());

        assertThat(agent.error(TOOL, Map.of("project_id", ref, "name", "MORE"))).contains("100 unused links");
        assertThat(ADMIN.text(TOOL, Map.of("project_id", ref, "name", "MORE"))).contains("/v1/secret-entry?");
    }
}
