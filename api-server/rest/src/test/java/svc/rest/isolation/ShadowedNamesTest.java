package svc.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.RestCall;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/**
 * The project's schema comes first on the search path, so its owner can put functions, types and operators before
 * PostgreSQL's. What our statements are made of does not look there; operators do, because types of extensions bring
 * theirs, and then the project's own answers are what it made them.
 */
class ShadowedNamesTest {
    private static final String SHADOWS = """
            CREATE FUNCTION json_agg(anyelement) RETURNS json LANGUAGE sql AS $$ SELECT '"shadow"'::json $$;
            CREATE FUNCTION jsonb_agg(anyelement) RETURNS jsonb LANGUAGE sql AS $$ SELECT '"shadow"'::jsonb $$;
            CREATE FUNCTION to_jsonb(anyelement) RETURNS jsonb LANGUAGE sql AS $$ SELECT '"shadow"'::jsonb $$;
            CREATE FUNCTION row_to_json(record) RETURNS json LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
            CREATE FUNCTION json_populate_recordset(anyelement, json) RETURNS SETOF anyelement LANGUAGE sql AS 'SELECT $1';
            CREATE FUNCTION json_strip_nulls(json) RETURNS json LANGUAGE sql AS $$ SELECT '"shadow"'::json $$;
            CREATE FUNCTION set_config(text, text, boolean) RETURNS text LANGUAGE sql AS $$ SELECT 'shadow' $$;
            CREATE FUNCTION current_setting(text, boolean) RETURNS text LANGUAGE sql AS $$ SELECT '418' $$;
            CREATE FUNCTION to_tsvector(text) RETURNS tsvector LANGUAGE sql AS $$ SELECT 'shadow'::tsvector $$;
            CREATE FUNCTION to_tsquery(text) RETURNS tsquery LANGUAGE sql AS $$ SELECT 'shadow'::tsquery $$;
            CREATE FUNCTION unnest(anyarray) RETURNS SETOF anyelement LANGUAGE plpgsql AS 'BEGIN END';
            CREATE FUNCTION has_table_privilege(oid, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
            CREATE DOMAIN text AS pg_catalog.text CHECK (VALUE = 'shadow');
            CREATE DOMAIN json AS pg_catalog.json CHECK (false);
            CREATE DOMAIN int8 AS pg_catalog.int8 CHECK (VALUE < 0);
            CREATE DOMAIN regconfig AS pg_catalog.regconfig CHECK (false);
            CREATE TABLE pg_class (id int);
            CREATE TABLE pg_roles (id int);
            """;

    private static TestingProjects projects;
    private static TestingDataPlane plane;
    private static Tenant shadowing;
    private static Tenant plain;

    @BeforeAll
    static void serve() {
        projects = TestingProjects.create();
        plane = new TestingDataPlane(projects, PoolSettings.defaults(), true);
        shadowing = project("shadows1");
        plain = project("plain123");
        projects.asOwner(shadowing, SHADOWS);
    }

    @AfterAll
    static void close() {
        plane.close();
    }

    private static Tenant project(String ref) {
        Tenant tenant = projects.project(ref);
        projects.asOwner(tenant, """
                CREATE TABLE writer (id int PRIMARY KEY, name text);
                CREATE TABLE book (id int PRIMARY KEY, title text, writer int REFERENCES writer, data jsonb);
                INSERT INTO writer VALUES (1, 'Ann'), (2, 'Bob');
                INSERT INTO book VALUES (1, 'shadows fall', 1, '{"a":[1]}'), (2, 'two', 2, NULL);
                ALTER TABLE writer ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON writer TO %s_authenticated USING (true);
                CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT a + b';
                """.formatted(tenant.names().schemaName()));
        plane.serve(tenant);
        return tenant;
    }

    /** The same requests have the same answers with and without shadows. */
    @Test
    void functionsTypesAndTablesChangeNothing() {
        for (String request : List.of(
                "GET /book?select=id,title,data->a->0,writer(name)&order=id",
                "GET /book?select=id,...writer(name)&order=id",
                "GET /writer?select=name,book(title)&order=id",
                "GET /book?title=fts.shadows&select=id",
                "GET /book?title=plfts(english).shadow&select=id",
                "GET /book?select=id&id=in.(1,2)&order=id",
                "GET /rpc/add?a=1",
                "POST /rpc/add",
                "GET /nothing?select=id")) {
            for (String accept :
                    List.of("application/json", "application/vnd.pgrst.array+json;nulls=stripped", "text/csv")) {
                String body = request.startsWith("POST") ? "{\"a\":1}" : null;
                Map<String, String> headers = Map.of("Accept", accept, "Prefer", "count=exact", "Test-Role", "ann");
                HttpResponse<String> expected = ask(plain, request, headers, body);
                HttpResponse<String> shadowed = ask(shadowing, request, headers, body);
                assertThat(shadowed.statusCode() + " " + own(shadowing, shadowed.body()))
                        .as("%s as %s", request, accept)
                        .isEqualTo(expected.statusCode() + " " + own(plain, expected.body()));
                assertThat(shadowed.headers().firstValue("Content-Range"))
                        .isEqualTo(expected.headers().firstValue("Content-Range"));
            }
        }
    }

    @Test
    void writesAreTheSame() {
        for (Tenant tenant : List.of(shadowing, plain)) {
            RestCall.ask(plane, tenant, "POST /book?select=id,title,writer(name)")
                    .header("Test-Role", "service")
                    .prefer("return=representation, resolution=merge-duplicates")
                    .body("[{\"id\":9,\"title\":\"nine\",\"writer\":1}]")
                    .status(201)
                    .answers("[{\"id\":9,\"title\":\"nine\",\"writer\":{\"name\": \"Ann\"}}]");
            RestCall.ask(plane, tenant, "DELETE /book?id=eq.9")
                    .header("Test-Role", "service")
                    .status(204);
        }
    }

    /**
     * Roles, claims and the OpenAPI document come from PostgreSQL's catalog, even if the schema has objects with its names.
     */
    @Test
    void roleAndClaimsAreTheCallers() {
        RestCall.ask(plane, shadowing, "GET /writer?select=id").status(200).answers("[]");
        RestCall.ask(plane, shadowing, "GET /writer?select=id&order=id")
                .header("Test-Role", "ann")
                .answers("[{\"id\":1},{\"id\":2}]");
        RestCall.ask(plane, shadowing, "GET /").status(200).contains("\"/book\"");
    }

    /** An operator of the tenant shadows PostgreSQL's, but only in the tenant's own requests. */
    @Test
    void anOperatorIsItsOwnersOnly() {
        Tenant operators = project("operator");
        projects.asOwner(operators, """
                CREATE FUNCTION always(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT true';
                CREATE OPERATOR = (LEFTARG = int, RIGHTARG = int, FUNCTION = always);
                """);
        RestCall.ask(plane, operators, "GET /book?select=id&id=eq.1&order=id").answers("[{\"id\":1},{\"id\":2}]");
        RestCall.ask(plane, plain, "GET /book?select=id&id=eq.1&order=id").answers("[{\"id\":1}]");
        RestCall.ask(plane, operators, "GET /writer?select=id").answers("[]");
    }

    private static HttpResponse<String> ask(Tenant tenant, String request, Map<String, String> headers, String body) {
        String[] parts = request.split(" ", 2);
        return plane.request(tenant, parts[0], parts[1], headers, body);
    }

    private static String own(Tenant tenant, String body) {
        return body.replace(tenant.names().schemaName(), "schema");
    }
}
