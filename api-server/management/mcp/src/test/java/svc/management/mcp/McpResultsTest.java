package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.name.SupabaseRef;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** What tools answer and what they announce, in the shapes that clients of Supabase's server know. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class McpResultsTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);
    private static final String ALL = "features=account,docs,database,debug,development,functions,branching,storage";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    /** Of a token of its own: calls of tools are limited for each token. */
    private McpClient mcp;

    @BeforeEach
    void authorize() {
        Http.Answer made = API.send(
                "POST",
                "/v1/tokens",
                "{\"name\":\"results\",\"permissions\":{\"database_query\":true,\"projects_create\":true,"
                        + "\"edge_functions\":true}}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        mcp = McpClient.of(made.json().get("token").asText());
    }

    private String project() {
        return TestingProject.create(client, tenants, "results").ref();
    }

    private static JsonNode read(String text) {
        try {
            return McpClient.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    /** The object that a tool answers, which is the same in both forms. */
    private static JsonNode object(McpClient mcp, String tool, Map<String, ?> arguments) {
        JsonNode result = mcp.tool(tool, arguments);
        assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
        JsonNode structured = result.path("structuredContent");
        assertThat(structured.isObject()).as(tool + " " + result).isTrue();
        assertThat(structured).isEqualTo(read(result.at("/content/0/text").asText()));
        return structured;
    }

    @Test
    void objectsComeAsTextAndAsStructuredContent() {
        String ref = project();
        McpClient one = mcp.at("project_ref=" + ref);
        assertThat(object(mcp, "list_organizations", Map.of())
                        .at("/organizations/0/slug")
                        .asText())
                .isEqualTo("default");
        JsonNode organization = object(mcp, "get_organization", Map.of("id", "default"));
        assertThat(organization.get("plan").asText()).isEqualTo("free");
        assertThat(organization.get("opt_in_tags").isArray()).isTrue();
        assertThat(organization.get("allowed_release_channels").isArray()).isTrue();
        assertThat(object(mcp, "list_projects", Map.of()).get("projects").isArray())
                .isTrue();
        JsonNode found = object(mcp, "get_project", Map.of("id", ref));
        for (String member : List.of("id", "ref")) {
            assertThat(found.get(member).asText()).isEqualTo(ref);
        }
        for (String member :
                List.of("organization_id", "organization_slug", "name", "status", "created_at", "region")) {
            assertThat(found.get(member).isTextual()).as(member).isTrue();
        }
        assertThat(object(one, "get_project_url", Map.of()).get("url").asText()).startsWith("http");
        assertThat(object(one, "get_publishable_keys", Map.of())
                        .at("/keys/0/api_key")
                        .asText())
                .startsWith("svc_anon_");
        assertThat(object(one, "list_edge_functions", Map.of()).get("functions"))
                .isEmpty();
        assertThat(object(one, "list_branches", Map.of()).get("branches")).isEmpty();
        assertThat(object(one, "list_migrations", Map.of()).get("migrations")).isEmpty();
        assertThat(object(one, "generate_typescript_types", Map.of())
                        .get("types")
                        .isTextual())
                .isTrue();
        JsonNode extension = object(one, "list_extensions", Map.of()).at("/extensions/0");
        for (String member : List.of("name", "schema", "default_version", "installed_version", "comment")) {
            assertThat(extension.has(member)).as(member).isTrue();
        }
        JsonNode applied = object(one, "apply_migration", Map.of("name", "one", "query", "CREATE TABLE one (id int)"));
        assertThat(applied.get("success").asBoolean()).isTrue();
        assertThat(object(one, "list_migrations", Map.of()).at("/migrations/0/version"))
                .isEqualTo(applied.get("version"));
        assertThat(object(mcp, "search_docs", Map.of("query", "storage limits")).get("results"))
                .isNotEmpty();
    }

    @Test
    void whatOthersMayHaveWrittenIsTextAlone() {
        McpClient one = mcp.at("project_ref=" + project());
        for (JsonNode result : List.of(
                one.tool("execute_sql", Map.of("query", "SELECT 1 AS one")),
                one.tool("get_advisors", Map.of("type", "security")),
                one.tool("get_logs", Map.of("service", "api")),
                one.tool("execute_sql", Map.of("query", "SELECT nope")))) {
            assertThat(result.has("content")).as(result.toString()).isTrue();
            assertThat(result.has("structuredContent")).as(result.toString()).isFalse();
        }
    }

    @Test
    void tablesAreShortUnlessTheirColumnsAreAskedFor() {
        McpClient one = mcp.at("project_ref=" + project());
        one.text("execute_sql", Map.of("query", """
                CREATE TYPE mood AS ENUM ('happy', 'sad');
                CREATE TABLE people (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    email text NOT NULL UNIQUE,
                    age int DEFAULT 7 CHECK (age > 0),
                    moods mood[],
                    born timestamptz);
                ALTER TABLE people ENABLE ROW LEVEL SECURITY;
                CREATE TABLE notes (id int PRIMARY KEY, person bigint REFERENCES people (id));
                COMMENT ON TABLE people IS 'All that have signed up';
                COMMENT ON COLUMN people.age IS 'In years';"""));

        JsonNode people = object(one, "list_tables", Map.of()).at("/tables/1");
        assertThat(people.get("name").asText()).isEqualTo("public.people");
        assertThat(people.get("kind").asText()).isEqualTo("table");
        assertThat(people.get("rls_enabled").asBoolean()).isTrue();
        assertThat(people.has("rows")).isTrue();
        assertThat(people.get("comment").asText()).isEqualTo("All that have signed up");
        for (String member : List.of("columns", "primary_keys", "foreign_key_constraints")) {
            assertThat(people.has(member)).as(member).isFalse();
        }

        JsonNode tables = object(one, "list_tables", Map.of("verbose", true));
        JsonNode columns = tables.at("/tables/1/columns");
        assertThat(columns).hasSize(5);
        assertThat(columns.get(0)).isEqualTo(read("""
                                {"name":"id","data_type":"bigint","format":"int8","options":["identity","updatable"],
                                 "identity_generation":"ALWAYS"}"""));
        assertThat(columns.get(1)).isEqualTo(read("""
                                {"name":"email","data_type":"text","format":"text","options":["updatable","unique"]}"""));
        assertThat(columns.get(2)).isEqualTo(read("""
                                {"name":"age","data_type":"integer","format":"int4","options":["nullable","updatable"],
                                 "default_value":"7","check":"age > 0","comment":"In years"}"""));
        assertThat(columns.get(3)).isEqualTo(read("""
                                {"name":"moods","data_type":"ARRAY","format":"_mood","options":["nullable","updatable"],
                                 "enums":["happy","sad"]}"""));
        assertThat(columns.at("/4/data_type").asText()).isEqualTo("timestamp with time zone");
        assertThat(tables.at("/tables/1/primary_keys")).isEqualTo(read("[\"id\"]"));
        assertThat(tables.at("/tables/0/foreign_key_constraints")).isEqualTo(read("""
                                [{"name":"notes_person_fkey","source_table":"public.notes","source_columns":["person"],
                                  "target_table":"public.people","target_columns":["id"]}]"""));
        assertThat(tables.toString()).doesNotContain("proj_");
    }

    @Test
    void aListOfManyColumnsIsCutAndSaysSo() {
        McpClient one = mcp.at("project_ref=" + project());
        one.text("execute_sql", Map.of("query", """
                CREATE TABLE a (id int);
                CREATE TABLE b (id int);"""));
        String wide = "CREATE TABLE %s (%s);";
        StringBuilder columns = new StringBuilder("c0 int");
        for (int i = 1; i < 300; i++) {
            columns.append(", a_column_with_a_long_name_").append(i).append(" int");
        }
        one.text("execute_sql", Map.of("query", wide.formatted("c", columns) + wide.formatted("d", columns)));

        JsonNode tables = object(one, "list_tables", Map.of("verbose", true));
        assertThat(tables.get("more").asInt()).isPositive();
        assertThat(tables.get("tables").size() + tables.get("more").asInt()).isEqualTo(4);
        assertThat(tables.get("hint").asText()).contains("execute_sql");
        assertThat(tables.toString().length()).isLessThan(60_000);
        JsonNode names = object(one, "list_tables", Map.of());
        assertThat(names.get("tables")).hasSize(4);
        assertThat(names.has("hint")).isFalse();
    }

    @Test
    void findingsOfOneRuleStandTogether() {
        McpClient one = mcp.at("project_ref=" + project());
        one.text("execute_sql", Map.of("query", "CREATE TABLE one (id int PRIMARY KEY)"));
        one.text("execute_sql", Map.of("query", "CREATE TABLE two (id int PRIMARY KEY)"));
        String text = one.text("get_advisors", Map.of("type", "security"));
        JsonNode lints = read(text.substring(text.indexOf("\n{") + 1, text.lastIndexOf("}\n") + 1))
                .get("lints");
        JsonNode open = null;
        for (JsonNode lint : lints) {
            open = lint.get("name").asText().equals("rls_disabled_in_public") ? lint : open;
        }
        assertThat(open).as(text).isNotNull();
        for (String member : List.of("title", "level", "description", "remediation")) {
            assertThat(open.get(member).asText()).as(member).isNotEmpty();
        }
        assertThat(open.get("categories")).isNotEmpty();
        assertThat(open.get("count").asInt()).isEqualTo(2);
        assertThat(open.get("findings")).hasSize(2);
        assertThat(open.get("findings"))
                .extracting(finding -> finding.at("/metadata/name").asText())
                .containsExactlyInAnyOrder("one", "two");
        assertThat(open.at("/findings/0/detail").asText()).contains("public.");
    }

    @Test
    void aMigrationThatMayRemoveSomethingAsksTheUserFirst() {
        String ref = project();
        McpClient one = mcp.of2026().at("project_ref=" + ref);
        one.text("apply_migration", Map.of("name", "todos", "query", "CREATE TABLE todos (id int PRIMARY KEY)"));
        Map<String, String> drop = Map.of("name", "gone", "query", "CREATE TABLE others (id int);\nDROP TABLE todos;");

        JsonNode asked = one.tool("apply_migration", drop);
        assertThat(asked.get("resultType").asText()).isEqualTo("input_required");
        JsonNode request = asked.at("/inputRequests/confirm_destructive");
        assertThat(request.get("method").asText()).isEqualTo("elicitation/create");
        assertThat(request.at("/params/mode").asText()).isEqualTo("form");
        assertThat(request.at("/params/requestedSchema")).isEqualTo(read("{\"type\":\"object\",\"properties\":{}}"));
        assertThat(request.at("/params/message").asText())
                .contains("DROP TABLE todos")
                .contains(ref)
                .doesNotContain("CREATE TABLE");
        assertThat(one.text("list_migrations", Map.of())).doesNotContain("gone");

        assertThat(answered(one, drop, asked, "decline").at("/content/0/text").asText())
                .contains("Nothing was run");
        assertThat(one.text("list_tables", Map.of())).contains("public.todos");
        JsonNode agreed = answered(one, drop, one.tool("apply_migration", drop), "accept");
        assertThat(agreed.at("/structuredContent/success").asBoolean())
                .as(agreed.toString())
                .isTrue();
        assertThat(one.text("list_tables", Map.of())).contains("public.others").doesNotContain("public.todos");

        assertThat(mcp.of2026()
                        .at("skip_elicitations=true&project_ref=" + ref)
                        .tool("apply_migration", Map.of("name", "last", "query", "DROP TABLE others"))
                        .get("resultType")
                        .asText())
                .isEqualTo("complete");
    }

    private static JsonNode answered(McpClient mcp, Map<String, String> arguments, JsonNode asked, String action) {
        ObjectNode call = McpClient.call("apply_migration", arguments)
                .put("requestState", asked.get("requestState").asText());
        call.putObject("inputResponses").putObject("confirm_destructive").put("action", action);
        return mcp.request("tools/call", call);
    }

    @Test
    void aProjectIsNamedByEitherSpellingOfItsRef() {
        String ref = project();
        String spelled = SupabaseRef.of(ref);
        Map<String, String> select = Map.of("query", "SELECT 1 AS one");
        assertThat(mcp.at("project_ref=" + spelled).text("execute_sql", select)).contains("\"one\":1");
        assertThat(mcp.text("execute_sql", Map.of("query", "SELECT 1 AS one", "project_id", spelled)))
                .contains("\"one\":1");
        assertThat(object(mcp, "get_project", Map.of("id", spelled)).get("ref").asText())
                .isEqualTo(ref);
        Http.Answer made =
                API.send("POST", "/v1/tokens/mcp", "{\"name\":\"spelled\",\"project_ref\":\"" + spelled + "\"}");
        assertThat(made.json().path("project_ref").asText()).as(made.toString()).isEqualTo(ref);
        McpClient one = McpClient.of(made.json().get("token").asText());
        assertThat(one.at("project_ref=" + spelled).text("execute_sql", select)).contains("\"one\":1");
        assertThat(one.at("project_ref=" + SupabaseRef.of("nothere1"))
                        .send("tools/list", McpClient.params())
                        .code())
                .isEqualTo("mcp_project_forbidden");
    }

    @Test
    void costsAreNumbersOfAnyKind() {
        assertThat(object(mcp, "get_cost", Map.of("type", "project")))
                .isEqualTo(read("{\"type\":\"project\",\"amount\":0,\"recurrence\":\"monthly\"}"));
        assertThat(object(mcp, "get_cost", Map.of("type", "branch"))
                        .get("recurrence")
                        .asText())
                .isEqualTo("hourly");
        assertThat(object(mcp, "confirm_cost", Map.of("type", "branch", "recurrence", "hourly", "amount", 0.01344))
                        .get("confirmation_id")
                        .isTextual())
                .isTrue();
        assertThat(mcp.error("confirm_cost", Map.of("type", "branch", "recurrence", "hourly", "amount", "0")))
                .contains("must be a number");
    }

    @Test
    void aToolSwitchesTheConfirmationOfAccountsOff() {
        McpClient one = mcp.at("project_ref=" + project());
        JsonNode changed = object(one, "update_auth_config", Map.of("config", Map.of("mailer_autoconfirm", true)));
        assertThat(changed.at("/config/mailer_autoconfirm").asBoolean()).isTrue();
        assertThat(object(one, "get_auth_config", Map.of())
                        .get("mailer_autoconfirm")
                        .asBoolean())
                .isTrue();
        assertThat(one.error("update_auth_config", Map.of("config", Map.of("mailer_autoconfirmed", true))))
                .contains("mailer_autoconfirmed");
    }

    @Test
    void toolsSayWhatTheyMayChangeAsSupabasesDo() {
        Map<String, String> hints = hints(mcp.at(ALL));
        Map<String, Set<String>> others = Map.of(
                "writes", Set.of("create_project", "pause_project", "restore_project", "create_branch"),
                "writes idempotent", Set.of("create_edge_function_secret"),
                "writes destructive",
                        Set.of(
                                "delete_branch",
                                "merge_branch",
                                "reset_branch",
                                "rebase_branch",
                                "deploy_edge_function",
                                "update_auth_config",
                                "update_storage_config"),
                "writes destructive open", Set.of("execute_sql", "apply_migration"));
        others.forEach((said, tools) ->
                tools.forEach(tool -> assertThat(hints.remove(tool)).as(tool).isEqualTo(said)));
        assertThat(hints).hasSizeGreaterThan(20);
        hints.forEach((tool, said) -> assertThat(said).as(tool).isEqualTo("reads idempotent"));
        assertThat(hints(mcp.at("read_only=true"))).containsEntry("execute_sql", "reads idempotent open");
    }

    private static Map<String, String> hints(McpClient mcp) {
        Map<String, String> hints = new TreeMap<>();
        for (JsonNode tool : mcp.request("tools/list", McpClient.params()).get("tools")) {
            JsonNode said = tool.get("annotations");
            hints.put(
                    tool.get("name").asText(),
                    (said.get("readOnlyHint").asBoolean() ? "reads" : "writes")
                            + (said.get("destructiveHint").asBoolean() ? " destructive" : "")
                            + (said.get("idempotentHint").asBoolean() ? " idempotent" : "")
                            + (said.get("openWorldHint").asBoolean() ? " open" : ""));
        }
        return hints;
    }
}
