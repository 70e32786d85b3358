package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logmanager.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.secret.FunctionSecret;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A secret that an agent asks for and a person enters, and attacks on the page. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class McpSecretEntryTest {
    private static final McpClient ADMIN = McpClient.of(TestingPlatform.ADMIN);
    private static final Http API = Http.api(TestingPlatform.ADMIN);
    private static final String TOOL = "create_edge_function_secret";
    private static final String VALUE = "a-value-that-no-model-sees";

    @Inject
    KubernetesClient kubernetes;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase database;

    private String project() {
        return TestingProject.create(kubernetes, tenants, "secret").ref();
    }

    private static String link(String ref, String name) {
        return SecretEntryPages.path(ADMIN.text(TOOL, Map.of("project_id", ref, "name", name)));
    }

    private Optional<String> stored(String ref, String name) {
        return kubernetes
                .resources(FunctionSecret.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .list()
                .getItems()
                .stream()
                .filter(secret -> secret.getSpec().projectRef().name().equals(ref)
                        && secret.getSpec().functionName() == null
                        && secret.getSpec().key().equals(name))
                .map(secret -> secret.getSpec().valueFrom().secretKeyRef())
                .map(place -> {
                    Secret holder = kubernetes
                            .secrets()
                            .inNamespace(TestingPlatform.NAMESPACE)
                            .withName(place.name())
                            .get();
                    return new String(
                            Base64.getDecoder().decode(holder.getData().get(place.key())), StandardCharsets.UTF_8);
                })
                .findFirst();
    }

    private static String audit(String ref) {
        return API.get("/v1/projects/" + ref + "/audit").text();
    }

    @Test
    void theUserEntersTheValueAndTheModelNeverSeesIt() {
        String ref = project();
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage()
                        + List.of(Optional.ofNullable(line.getParameters()).orElse(new Object[0])));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        Level usual = root.getLevel();
        root.setLevel(Level.INFO);
        root.addHandler(listener);
        String path = link(ref, "STRIPE_KEY");
        Http.Answer page = SecretEntryPages.open(path);
        Http.Answer done = SecretEntryPages.enter(path, TestingPlatform.ADMIN, "line one\r\n" + VALUE + "\r\n");
        Logger.getLogger("svc.test").info("the listener hears");
        root.removeHandler(listener);
        root.setLevel(usual);

        assertThat(page.text()).contains("STRIPE_KEY", ref, "asks for it").doesNotContain("<script");
        assertThat(page.header("content-security-policy").orElseThrow())
                .contains("default-src 'none'", "form-action 'self';", "frame-ancestors 'none'");
        assertThat(page.header("x-frame-options")).hasValue("DENY");
        assertThat(page.header("cache-control")).hasValue("no-store");
        assertThat(page.header("set-cookie").orElseThrow()).contains("HttpOnly", "SameSite=Strict");
        assertThat(done.status()).as(done.toString()).isEqualTo(200);
        assertThat(stored(ref, "STRIPE_KEY")).hasValue("line one\n" + VALUE);

        assertThat(ADMIN.text(TOOL, Map.of("project_id", ref, "name", "STRIPE_KEY")))
                .isEqualTo("{\"name\":\"STRIPE_KEY\",\"stored\":true}");
        assertThat(audit(ref)).contains("mcp " + TOOL, "enter secret STRIPE_KEY");
        List<String> rows = database.query(
                SqlFragment.of("SELECT e::text AS whole FROM svc_platform.secret_entry AS e"
                        + " UNION ALL SELECT c::text FROM svc_platform.sql_call AS c"),
                row -> row.text("whole"));
        String random = path.substring(path.indexOf('=') + 1);
        assertThat(rows).isNotEmpty().noneMatch(row -> row.contains(VALUE) || row.contains(random));
        assertThat(logged)
                .anyMatch(line -> line.contains("the listener hears"))
                .noneMatch(line -> line.contains(VALUE));
        assertThat(done.text() + audit(ref)).doesNotContain(VALUE);
    }

    @Test
    void aLinkWorksOnceAndEndsTheOthersForItsName() {
        String ref = project();
        String other = link(ref, "ONCE");
        String path = link(ref, "ONCE");
        Http.Answer page = SecretEntryPages.open(path);
        Map<String, String> form = SecretEntryPages.filled(page, TestingPlatform.ADMIN, "first");
        assertThat(SecretEntryPages.send(SecretEntryPages.browser(page), form).status())
                .isEqualTo(200);
        form.put("value", "second");
        assertThat(SecretEntryPages.send(SecretEntryPages.browser(page), form).status())
                .isEqualTo(410);
        assertThat(SecretEntryPages.open(path).status()).isEqualTo(410);
        assertThat(SecretEntryPages.open(other).status()).isEqualTo(410);
        assertThat(stored(ref, "ONCE")).hasValue("first");
    }

    @Test
    void anExistingValueIsReplacedOnlyWhereTheToolSaysSo() {
        String ref = project();
        String early = link(ref, "KEPT");
        API.send("POST", "/v1/projects/" + ref + "/secrets", "[{\"name\":\"KEPT\",\"value\":\"before\"}]");
        assertThat(ADMIN.error(TOOL, Map.of("project_id", ref, "name", "KEPT")))
                .contains("function_secret_exists", "replace: true");
        Http.Answer refused = SecretEntryPages.enter(early, TestingPlatform.ADMIN, "after");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(stored(ref, "KEPT")).hasValue("before");
        String replacing =
                SecretEntryPages.path(ADMIN.text(TOOL, Map.of("project_id", ref, "name", "KEPT", "replace", true)));
        assertThat(SecretEntryPages.enter(replacing, TestingPlatform.ADMIN, "after")
                        .status())
                .isEqualTo(200);
        assertThat(stored(ref, "KEPT")).hasValue("after");
    }

    /** A stranger may own the project of a link: then a person's value would be in the stranger's functions. */
    @Test
    void aLinkAloneStoresNothingAndLeadsNoOneToAProjectOfOthers() {
        String ref = project();
        String path = link(ref, "MINE");
        String slug = "o-" + ref;
        String stranger = API.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\"}")
                .json()
                .at("/token/token")
                .asText();
        String powerless = API.send("POST", "/v1/tokens", "{\"name\":\"p\",\"permissions\":{\"database_query\":true}}")
                .json()
                .get("token")
                .asText();
        for (var attempt : Map.of(stranger, 404, powerless, 403, "svc_pat_nonsense", 401, "", 401)
                .entrySet()) {
            Http.Answer answer = SecretEntryPages.enter(path, attempt.getKey(), VALUE);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(attempt.getValue());
            assertThat(answer.text())
                    .contains("role=\"alert\"")
                    .doesNotContain(VALUE)
                    .doesNotContain("svc_pat_nonsense");
        }
        assertThat(stored(ref, "MINE")).isEmpty();
        assertThat(ADMIN.error(TOOL, Map.of("project_id", "nothere1", "name", "A")))
                .contains("project_not_found");
        assertThat(McpClient.of(stranger).error(TOOL, Map.of("project_id", ref, "name", "A")))
                .contains("project_not_found");
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, VALUE).status())
                .as("the link is still open for its owner")
                .isEqualTo(200);
    }

    @Test
    void noOtherPageSendsTheForm() {
        String ref = project();
        Http.Answer page = SecretEntryPages.open(link(ref, "SEALED"));
        Map<String, String> form = SecretEntryPages.filled(page, TestingPlatform.ADMIN, VALUE);
        Http browser = SecretEntryPages.browser(page);
        assertThat(SecretEntryPages.send(SignIn.stranger(), form).status())
                .as("without the cookie")
                .isEqualTo(400);
        assertThat(SecretEntryPages.send(browser.with("Sec-Fetch-Site", "cross-site"), form)
                        .status())
                .isEqualTo(400);
        assertThat(SecretEntryPages.send(browser.with("Sec-Fetch-Site", "same-site"), form)
                        .status())
                .isEqualTo(400);
        Map<String, String> another = new LinkedHashMap<>(form);
        another.put(
                "request",
                SignIn.fields(SecretEntryPages.open(link(ref, "OTHER"))).get("request"));
        assertThat(SecretEntryPages.send(browser, another).status())
                .as("another link than the page showed")
                .isEqualTo(400);
        another.put("request", form.get("request"));
        another.remove("seal");
        assertThat(SecretEntryPages.send(browser, another).status()).isEqualTo(400);
        assertThat(stored(ref, "SEALED")).isEmpty();
        assertThat(SecretEntryPages.send(browser.with("Sec-Fetch-Site", "same-origin"), form)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aLinkEndsWithTheTokenThatAskedForIt() {
        String ref = project();
        JsonNode token = API.send(
                        "POST", "/v1/tokens/mcp", "{\"name\":\"An <b>agent</b>\",\"project_ref\":\"" + ref + "\"}")
                .json();
        McpClient agent = McpClient.of(token.get("token").asText());
        String path = SecretEntryPages.path(agent.text(TOOL, Map.of("name", "REVOKED")));
        assertThat(SecretEntryPages.open(path).text())
                .contains("An &lt;b&gt;agent&lt;/b&gt;")
                .doesNotContain("<b>");
        API.send("DELETE", "/v1/tokens/mcp/" + token.get("id").asText());
        assertThat(SecretEntryPages.open(path).status()).isEqualTo(410);

        JsonNode parent = API.send("POST", "/v1/tokens", "{\"name\":\"p\",\"permissions\":{\"edge_functions\":true}}")
                .json();
        String second = SecretEntryPages.path(
                McpClient.of(parent.get("token").asText()).text(TOOL, Map.of("project_id", ref, "name", "REVOKED")));
        Http.Answer page = SecretEntryPages.open(second);
        API.send("DELETE", "/v1/tokens/" + parent.get("id").asText());
        Map<String, String> form = SecretEntryPages.filled(page, TestingPlatform.ADMIN, VALUE);
        assertThat(SecretEntryPages.send(SecretEntryPages.browser(page), form).status())
                .isEqualTo(410);
        assertThat(stored(ref, "REVOKED")).isEmpty();
    }

    @Test
    void anExpiredLinkAndAChangedOneOpenNothing() throws Exception {
        String ref = project();
        String path = link(ref, "EXPIRED");
        String old = "o".repeat(43);
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(old.getBytes(StandardCharsets.US_ASCII));
        database.update(
                SqlFragment.of("INSERT INTO svc_platform.secret_entry SELECT ?, organisation_id, project_id, ref, name,"
                        + " replaces, token_id, parent_id, grant_id, client, created_at,"
                        + " created_at - interval '1 second', NULL FROM svc_platform.secret_entry WHERE ref = ?"),
                hash,
                ref);
        assertThat(SecretEntryPages.open("/v1/secret-entry?request=" + old).status())
                .isEqualTo(410);
        char last = path.charAt(path.length() - 1);
        String changed = path.substring(0, path.length() - 1) + (last == 'A' ? 'B' : 'A');
        for (String wrong : List.of(
                changed,
                "/v1/secret-entry",
                "/v1/secret-entry?request=",
                "/v1/secret-entry?request=%00",
                "/v1/secret-entry?request=" + "x".repeat(5000))) {
            assertThat(SecretEntryPages.open(wrong).status()).as(wrong).isEqualTo(404);
        }
        assertThat(SecretEntryPages.open(path + "&request=a").status()).isEqualTo(400);
        assertThat(SecretEntryPages.open(path).status()).isEqualTo(200);
    }

    @Test
    void aValueThatIsTooLargeOrEmptyIsRefusedAndTheLinkStaysOpen() {
        String ref = project();
        String path = link(ref, "LARGE");
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, "x".repeat(1 << 20))
                        .status())
                .isEqualTo(413);
        Http.Answer large = SecretEntryPages.enter(path, TestingPlatform.ADMIN, "x".repeat(24_577));
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.text()).contains("24576").doesNotContain("xxxx");
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, "\r\n").status())
                .isEqualTo(400);
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, "a\0b").status())
                .isEqualTo(400);
        assertThat(stored(ref, "LARGE")).isEmpty();
        String largest = "ü".repeat(12_288);
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, largest).status())
                .isEqualTo(200);
        assertThat(stored(ref, "LARGE")).hasValue(largest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SVC_KEY", "SUPABASE_URL", "DENO_DIR", "LD_PRELOAD", "", "1A", "A B", "A=B", "Ä", "<b>"})
    void aNameThatNoSecretMayHaveIsRefused(String name) {
        assertThat(ADMIN.error(TOOL, Map.of("project_id", project(), "name", name)))
                .contains("function_secret_name_invalid");
    }

    @Test
    void readOnlyClientsHaveNoSuchToolAndATokenHasTwentyOpenLinks() {
        String ref = project();
        assertThat(ADMIN.at("read_only=true&project_ref=" + ref)
                        .send("tools/call", McpClient.call(TOOL, Map.of("name", "A")))
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32602);
        McpClient agent =
                McpClient.of(API.send("POST", "/v1/tokens/mcp", "{\"name\":\"many\",\"project_ref\":\"" + ref + "\"}")
                        .json()
                        .get("token")
                        .asText());
        for (int i = 0; i < 20; i++) {
            agent.text(TOOL, Map.of("name", "KEY_" + i));
        }
        assertThat(agent.error(TOOL, Map.of("name", "KEY_20"))).contains("20 unused links");
        assertThat(ADMIN.text(TOOL, Map.of("project_id", ref, "name", "KEY_20")))
                .contains("/v1/secret-entry?");
    }

    @Test
    void aClientThatOpensPagesItselfIsAskedTo() {
        String ref = project();
        McpClient mcp = ADMIN.of2026().at("project_ref=" + ref);
        JsonNode asked = mcp.opening("tools/call", McpClient.call(TOOL, Map.of("name", "OPENED")));
        assertThat(asked.get("resultType").asText()).isEqualTo("input_required");
        JsonNode params = asked.at("/inputRequests/store_secret/params");
        assertThat(params.get("mode").asText()).isEqualTo("url");
        assertThat(params.get("message").asText()).contains("OPENED", ref);
        String path = SecretEntryPages.path(params.get("url").asText());

        assertThat(mcp.opening("tools/call", answered(asked, "accept"))
                        .at("/content/0/text")
                        .asText())
                .contains("\"stored\":false");
        assertThat(SecretEntryPages.enter(path, TestingPlatform.ADMIN, VALUE).status())
                .isEqualTo(200);
        assertThat(mcp.text(TOOL, Map.of("name", "OPENED"))).contains("\"stored\":true");

        JsonNode again = mcp.opening("tools/call", McpClient.call(TOOL, Map.of("name", "DECLINED")));
        assertThat(mcp.opening("tools/call", answered(again, "decline"))
                        .at("/content/0/text")
                        .asText())
                .contains("did not agree");
        assertThat(mcp.text(TOOL, Map.of("name", "SHOWN")))
                .as("a client with forms alone")
                .contains("/v1/secret-entry?");
    }

    private static ObjectNode answered(JsonNode asked, String action) {
        String name =
                asked.at("/inputRequests/store_secret/params/message").asText().contains("OPENED")
                        ? "OPENED"
                        : "DECLINED";
        ObjectNode call = McpClient.call(TOOL, Map.of("name", name))
                .put("requestState", asked.get("requestState").asText());
        call.putObject("inputResponses").putObject("store_secret").put("action", action);
        return call;
    }
}
