package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Bound values that name schemas and roles mean the project's own, and never those of the neighbour beside it. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ParameterNamesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TABLES_OF_ONE = "SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON"
            + " n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY 1";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;
    private TestingProject neighbour;

    @BeforeEach
    void makeProjects() {
        project = TestingProject.create(client, tenants, "bound");
        neighbour = TestingProject.create(client, tenants, "neighbour");
        run(project, "CREATE TABLE public.todos (schema text); INSERT INTO todos VALUES ('public'), ('other')");
        run(neighbour, "CREATE TABLE public.secrets (id int)");
    }

    private Http.Answer send(TestingProject owner, String sql, Object... parameters) {
        ObjectNode body = JSON.createObjectNode().put("query", sql);
        if (parameters.length > 0) {
            body.set("parameters", JSON.valueToTree(parameters));
        }
        return api.send("POST", owner.path(), body.toString());
    }

    private JsonNode run(TestingProject owner, String sql, Object... parameters) {
        Http.Answer answer = send(owner, sql, parameters);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json();
    }

    private List<String> names(String sql, Object... parameters) {
        return run(project, sql, parameters).findValuesAsText("name");
    }

    @Test
    void findTheTablesOfTheProject() {
        assertThat(names(TABLES_OF_ONE, "public")).containsExactly("todos");
        assertThat(names("SELECT tablename AS name FROM pg_tables WHERE schemaname IN ($1, $2)", "public", "private"))
                .containsExactly("todos");
        assertThat(names(
                        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ANY ($1)",
                        (Object) List.of("public")))
                .containsExactly("todos");
        assertThat(names("SELECT relname AS name FROM pg_class WHERE oid = $1::regclass", "public.todos"))
                .containsExactly("todos");
        assertThat(names(
                        "WITH tables AS (SELECT n.nspname AS schema, c.relname AS name FROM pg_namespace n JOIN pg_class c"
                                + " ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p')) SELECT * FROM tables"
                                + " WHERE schema IN ($1)",
                        "public"))
                .containsExactly("todos");
        assertThat(run(project, "SELECT has_table_privilege($1, $2, 'select') AS may", "service_role", "public.todos")
                        .get(0)
                        .get("may")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void leaveRowsAlone() {
        assertThat(run(project, "SELECT count(*) AS rows FROM todos WHERE schema = $1", "public")
                        .get(0)
                        .get("rows")
                        .asInt())
                .isEqualTo(1);
        assertThat(run(
                                project,
                                "INSERT INTO todos SELECT $1 FROM pg_namespace WHERE nspname = $2 RETURNING schema",
                                "public",
                                "public")
                        .findValuesAsText("schema"))
                .containsExactly("public");
        run(project, "CREATE TABLE public.members (roles text); INSERT INTO members VALUES ('anon'), ('admin')");
        assertThat(run(
                                project,
                                "WITH gone AS (DELETE FROM members WHERE roles = $1 RETURNING roles)"
                                        + " SELECT gone.roles FROM gone LEFT JOIN pg_policies p ON false",
                                "anon")
                        .findValuesAsText("roles"))
                .containsExactly("anon");
        // One value in both places is data: it finds no schema of that name.
        assertThat(names("SELECT $1::text AS name FROM pg_namespace WHERE nspname = $1", "public"))
                .isEmpty();
    }

    @Test
    void reachNoNeighbour() {
        String theirs = neighbour.owner().names().schemaName();
        for (String value : List.of(
                theirs,
                "\"" + theirs + "\"",
                theirs.toUpperCase(Locale.ROOT),
                theirs + "_auth",
                theirs + "__private")) {
            assertThat(names(TABLES_OF_ONE, value)).as(value).isEmpty();
            assertThat(names("SELECT tablename AS name FROM pg_tables WHERE schemaname = ANY ($1)", (Object)
                            List.of(value, "x")))
                    .as(value)
                    .isEmpty();
        }
        Http.Answer refused = send(project, "SELECT to_regclass($1) AS seen", theirs + ".secrets");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("sqlstate").asText()).isEqualTo("42501");
    }
}
