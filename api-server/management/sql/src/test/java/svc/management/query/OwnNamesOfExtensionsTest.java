package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Behind {@code public} a project's own function wins over an extension's, and the extension's is there without it. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class OwnNamesOfExtensionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OWN = "CREATE FUNCTION public.%s(a text, b text) RETURNS text LANGUAGE sql IMMUTABLE"
            + " AS $$ SELECT 'own ' || a || b $$;";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "own-names");
    }

    private JsonNode rows(String sql) {
        Http.Answer answer = api.send(
                "POST",
                project.path(),
                JSON.createObjectNode().put("query", sql).toString());
        assertThat(answer.status()).as(sql + " → " + answer).isEqualTo(201);
        return answer.json();
    }

    private String value(String expression) {
        return rows("SELECT (" + expression + ")::text AS x").at("/0/x").asText();
    }

    @Test
    void theExtensionsFunctionIsMeantWhereTheProjectHasNone() {
        assertThat(value("public.crypt('a', public.gen_salt('bf', 4))")).startsWith("$2a$04$");
        assertThat(value("public.similarity('word', 'word')")).isEqualTo("1");
        assertThat(value("octet_length(public.digest('x', 'sha256'))")).isEqualTo("32");
        assertThat(value("length(public.gen_random_uuid()::text)")).isEqualTo("36");
        rows("CREATE TABLE public.t (id uuid DEFAULT public.uuid_generate_v4()); INSERT INTO t DEFAULT VALUES");
    }

    @Test
    void theProjectsOwnWinsInTheScriptThatMakesItAndLater() {
        assertThat(rows(OWN.formatted("crypt") + " SELECT public.crypt('a', 'b') AS x")
                        .at("/0/x")
                        .asText())
                .isEqualTo("own ab");
        rows(OWN.formatted("similarity"));
        rows(
                "create or replace function inner_product(a text, b text) returns text language sql as $$ select 'own' $$");
        assertThat(value("public.crypt('a', 'b')")).isEqualTo("own ab");
        assertThat(value("public.similarity('a'::text, 'b'::text)")).isEqualTo("own ab");
        assertThat(value("\"public\" . \"inner_product\"('a', 'b')")).isEqualTo("own");
        // In bodies, also without a search path.
        rows("CREATE FUNCTION public.g() RETURNS text LANGUAGE plpgsql SET search_path = '' AS $$ BEGIN RETURN"
                + " public.similarity('x', 'y'); END $$");
        assertThat(value("public.g()")).isEqualTo("own xy");
        rows("DROP FUNCTION public.similarity(text, text)");
        assertThat(value("public.similarity('word', 'word')")).isEqualTo("1");
    }

    @Test
    void aFunctionOfAnotherSchemaOrProjectChangesNothing() {
        rows(
                "CREATE SCHEMA app; CREATE FUNCTION app.crypt(a text, b text) RETURNS text LANGUAGE sql AS $$ SELECT 'app' $$");
        TestingProject other = TestingProject.create(client, tenants, "other");
        api.send(
                "POST",
                other.path(),
                JSON.createObjectNode().put("query", OWN.formatted("crypt")).toString());
        assertThat(value("public.crypt('a', public.gen_salt('bf', 4))")).startsWith("$2a$04$");
        assertThat(value("app.crypt('a', 'b')")).isEqualTo("app");
    }
}
