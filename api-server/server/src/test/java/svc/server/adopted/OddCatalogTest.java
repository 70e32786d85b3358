package svc.server.adopted;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/**
 * An adopted database may have a damaged catalog: dangling rows, comments in another encoding, objects of extensions.
 * Intact relations are served; a damaged one fails with PostgreSQL's error, alone.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class OddCatalogTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private AdoptedDatabaseForTests database;

    @BeforeEach
    void adopt() {
        database = AdoptedDatabaseForTests.adopt(client, tenants);
    }

    private void sql(String script) {
        database.sql(script.replace("$anon", database.role("web_anon")));
    }

    private void everythingElseIsServed() {
        for (String path : new String[] {"/rest/v1/", "/rest/v1/todos?select=task", "/rest/v1/about?select=role"}) {
            Http.Answer answer = database.http().get(path);
            assertThat(answer.status()).as(path + " " + answer).isEqualTo(200);
        }
        assertThat(database.http().get("/rest/v1/todo").code()).isEqualTo("PGRST205");
        assertThat(database.http().get("/rest/v1/todos?select=id,nope(id)").code())
                .isEqualTo("PGRST200");
        assertThat(database.http().get("/rest/v1/rpc/nope").code()).isEqualTo("PGRST202");
    }

    /** Each statement leaves dangling rows in the catalog. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TYPE api.gone AS ENUM ('a'); CREATE TABLE api.odd (id int, g api.gone);"
                        + " DELETE FROM pg_type WHERE oid = 'api.gone'::regtype",
                "CREATE DOMAIN api.gone AS int; CREATE TABLE api.odd (id int, g api.gone);"
                        + " DELETE FROM pg_type WHERE oid = 'api.gone'::regtype",
                "CREATE FUNCTION api.gone() RETURNS int LANGUAGE sql AS 'SELECT 1';"
                        + " CREATE VIEW api.odd AS SELECT api.gone() AS id; DELETE FROM pg_proc WHERE proname = 'gone'",
                "CREATE TABLE api.gone (id int PRIMARY KEY); CREATE TABLE api.odd (id int REFERENCES api.gone);"
                        + " DELETE FROM pg_class WHERE oid = 'api.gone'::regclass",
                "CREATE TABLE api.gone (id int); CREATE VIEW api.odd AS SELECT * FROM api.gone;"
                        + " DELETE FROM pg_class WHERE oid = 'api.gone'::regclass",
                "CREATE TYPE api.gone AS (x int); CREATE TABLE api.odd (id int);"
                        + " CREATE FUNCTION api.odd(api.gone) RETURNS SETOF api.gone LANGUAGE sql AS 'SELECT $1';"
                        + " DELETE FROM pg_type WHERE oid = 'api.gone'::regtype",
                "CREATE TABLE api.odd (id int DEFAULT 1); DELETE FROM pg_attrdef WHERE adrelid = 'api.odd'::regclass",
                "CREATE TABLE api.odd (id int PRIMARY KEY); DELETE FROM pg_constraint WHERE conrelid = 'api.odd'::regclass",
                "CREATE SCHEMA gone; CREATE TYPE gone.t AS ENUM ('a'); CREATE TABLE api.odd (id int, g gone.t);"
                        + " DELETE FROM pg_namespace WHERE nspname = 'gone'"
            })
    void whatLeadsNowhereBreaksNothingElse(String script) {
        String[] parts = script.split("; DELETE");
        sql(parts[0] + "; GRANT SELECT ON api.odd TO $anon");
        sql("DELETE" + parts[1]);

        everythingElseIsServed();
        Http.Answer odd = database.http().get("/rest/v1/odd?select=id");
        assertThat(odd.code()).as(odd.toString()).isNotEqualTo("internal_error");
    }

    @Test
    void commentsMayBeAnything() {
        sql("""
                COMMENT ON SCHEMA api IS E'\\u0001 </script> {"a": \\n\\n <pk/>';
                COMMENT ON TABLE api.todos IS E'\\U0001F600 "}]} <fk table=''x'' column=''y''/>';
                COMMENT ON COLUMN api.todos.id IS E'Note:\\nThis is a Primary Key.<pk/>\\x7f';
                DO $do$ BEGIN EXECUTE 'COMMENT ON COLUMN api.todos.task IS ' || quote_literal(repeat('ü', 200000)); END $do$;
                """);

        everythingElseIsServed();
        assertThat(database.http()
                        .get("/rest/v1/")
                        .json()
                        .at("/definitions/todos/description")
                        .asText())
                .contains("<fk table='x' column='y'/>");
    }

    @Test
    void whatExtensionsBringIsServed() {
        sql("CREATE EXTENSION citext SCHEMA api; CREATE EXTENSION hstore SCHEMA public;"
                + " CREATE TABLE api.odd (id int, name api.citext, h public.hstore);"
                + " INSERT INTO api.odd VALUES (1, 'Ann', 'a=>1'); GRANT SELECT ON api.odd TO $anon");

        everythingElseIsServed();
        assertThat(database.http().get("/rest/v1/odd?select=id,h&name=eq.ANN").text())
                .isEqualTo("[{\"id\":1,\"h\":{\"a\": \"1\"}}]");
        assertThat(database.http().get("/rest/v1/rpc/citext_eq").code()).isEqualTo("PGRST202");
    }

    @Test
    void aNotificationReloads() {
        sql("CREATE TABLE api.odd (id int); GRANT SELECT ON api.odd TO $anon");
        assertThat(database.http().get("/rest/v1/odd").status()).isEqualTo(200);
        for (String payload : new String[] {"", "reload schema", "reload config", "nonsense \\u0001"}) {
            sql("ALTER TABLE api.odd ADD c%1$s int; NOTIFY pgrst, '%2$s'"
                    .formatted(Math.abs(payload.hashCode()), payload));
            assertThat(database.http().get("/rest/v1/odd?select=*").status()).isEqualTo(200);
        }
        assertThat(database.http().get("/rest/v1/").json().at("/definitions/odd/properties"))
                .hasSize(5);
    }
}
