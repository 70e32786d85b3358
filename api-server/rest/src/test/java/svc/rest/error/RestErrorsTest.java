package svc.rest.error;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.platform.tenancy.Tenant;
import svc.rest.RestCall;
import svc.rest.testing.SharedDataPlane;

/** Status and code of what cannot be done. */
class RestErrorsTest {
    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        tenant = SharedDataPlane.project();
        SharedDataPlane.PROJECTS.asOwner(tenant, """
                CREATE TABLE todos (id int PRIMARY KEY, task text CHECK (length(task) < 9));
                CREATE TABLE child (id int PRIMARY KEY, todo int NOT NULL REFERENCES todos);
                INSERT INTO todos VALUES (1, 'a');
                INSERT INTO child VALUES (1, 1);
                CREATE TABLE closed (id int);
                REVOKE ALL ON closed FROM %1$s_anon, %1$s_authenticated;
                CREATE MATERIALIZED VIEW frozen AS SELECT 1 AS one;
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE SQLSTATE 'PT418' USING MESSAGE = 'teapot', DETAIL = 'd', HINT = 'h'; END $$;
                CREATE FUNCTION deep(n int) RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN RETURN deep(n + 1); END';
                CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN INSERT INTO endless VALUES (NEW.id); RETURN NEW; END $$;
                CREATE TABLE endless (id int);
                CREATE TRIGGER again BEFORE INSERT ON endless FOR EACH ROW EXECUTE FUNCTION again();
                CREATE TABLE pot (id int);
                CREATE TRIGGER no BEFORE INSERT ON pot FOR EACH ROW EXECUTE FUNCTION refuse();
                """.formatted(tenant.names().schemaName()));
    }

    private static RestCall ask(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, tenant, request);
    }

    /** Functions of the project that call themselves without end: the server works, and a retry cannot succeed. */
    @Test
    void endlessRecursionIsAnErrorOfTheProject() {
        ask("GET /rpc/deep?n=1").fails(400, "54001");
        ask("POST /endless").body("{\"id\":1}").fails(400, "54001");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "GET /todos?id=eqq.1 | 400 | PGRST100",
                "GET /todos?id=1 | 400 | PGRST100",
                "GET /todos?id= | 400 | PGRST100",
                "GET /todos?id=is.maybe | 400 | PGRST100",
                "GET /todos?id=in.(1 | 400 | PGRST100",
                "GET /todos?id=neq(any).{1} | 400 | PGRST100",
                "GET /todos?or=(id.eq.1 | 400 | PGRST100",
                "GET /todos?or=id.eq.1 | 400 | PGRST100",
                "GET /todos?or=() | 400 | PGRST100",
                "GET /todos?select=id, | 400 | PGRST100",
                "GET /todos?select=%22id | 400 | PGRST100",
                "GET /todos?select=a-%3E%3Eb-%3Ec | 400 | PGRST100",
                "GET /todos?order=id.up | 400 | PGRST100",
                "GET /todos?task=eq.%00 | 400 | PGRST100",
                "GET /todos?task=eq.%FF | 400 | PGRST100",
                "GET /todos?columns=a, | 400 | PGRST100",
                "GET /todos?nope=eq.1 | 400 | 42703",
                "GET /todos?select=nope | 400 | 42703",
                "GET /todos?order=nope | 400 | 42703",
                "GET /todos?select=id::nope | 400 | 42704",
                "GET /todos?id=eq.abc | 400 | 22P02",
                "GET /todos?id=like.1 | 404 | 42883",
                "GET /nope | 404 | PGRST205",
                "GET /a/b | 404 | PGRST125",
                "GET /a/b/c | 404 | PGRST125",
                "TRACE /todos | 405 | PGRST117",
                "GET /closed | 401 | 42501",
                "DELETE /todos?id=eq.1 | 409 | 23503",
                "GET /todos?select=id,nochild(*) | 400 | PGRST200",
                "GET /todos?select=*,...nochild(id) | 400 | PGRST200",
                "GET /todos?child.id=eq.1 | 400 | PGRST108",
                "GET /todos?order=child(id) | 400 | PGRST108",
                "GET /todos?task=fts(nope).x | 400 | 42704",
                "GET /todos?select=count() | 400 | PGRST123",
                "GET /todos?select=id.sum() | 400 | PGRST123",
                "GET /rpc/f | 404 | PGRST202",
                "POST /rpc/f | 404 | PGRST202",
                "PUT /todos?id=eq.1 | 400 | PGRST102",
            })
    void aFaultHasThisStatusAndCode(String request, int status, String code) {
        String encoded = request.replace("{", "%7B").replace("}", "%7D");
        ask(encoded).fails(status, code).has("Content-Type", "application/json; charset=utf-8");
    }

    @Test
    void aParseErrorSaysWhere() {
        ask("GET /todos?id=eqq.1")
                .contains("\\\"failed to parse filter (eqq.1)\\\" (line 1, column 1)")
                .contains("unexpected \\\"e\\\" expecting \\\"not\\\" or operator (eq, gt, ...)");
    }

    @Test
    void anUnknownTableIsNamedWithASuggestion() {
        ask("GET /todoss")
                .fails(404, "PGRST205")
                .contains("Could not find the table 'public.todoss' in the schema cache")
                .contains("Perhaps you meant the table 'public.todos'");
        ask("GET /entirely_else").contains("\"hint\":null");
        ask("GET /" + "x".repeat(70)).fails(404, "PGRST205");
        ask("GET /todos?select=" + "x".repeat(70)).fails(400, "42703");
    }

    @Test
    void messagesNameSchemasAndRolesAsApplicationsDo() {
        SharedDataPlane.PROJECTS.asOwner(tenant, """
                CREATE FUNCTION names_all() RETURNS int LANGUAGE plpgsql AS $$ DECLARE s text := '%1$s'; BEGIN
                    RAISE EXCEPTION '%% %%_auth.users %%_anon %%_service, %%_x', s, s, s, s, s
                        USING DETAIL = s || '.t', HINT = '(' || s || ')'; END $$;
                """.formatted(tenant.names().schemaName()));
        ask("POST /rpc/names_al")
                .body("{}")
                .contains("call the function public.names_all")
                .hasNoText("proj_");
        ask("POST /rpc/names_all")
                .body("{}")
                .fails(400, "P0001")
                .contains("\"message\":\"public auth.users anon service_role, "
                        + tenant.names().schemaName() + "_x\"")
                .contains("\"details\":\"public.t\"")
                .contains("\"hint\":\"(public)\"");
        ask("GET /todos")
                .header("Accept-Profile", "other")
                .fails(406, "PGRST106")
                .hasNoText("proj_");
    }

    @Test
    void aBodyThatCannotBeReadIsRefused() {
        for (String body : new String[] {"", "nonsense", "1", "[1]", "{\"id\":1", "[{\"id\":1}", "{} {}", "null"}) {
            ask("POST /todos").body(body).fails(400, "PGRST102");
        }
        ask("POST /todos")
                .header("Content-Type", "application/yaml")
                .body("x")
                .fails(400, "PGRST102")
                .contains("Content-Type not acceptable: application/yaml");
        ask("POST /todos").header("Content-Type", "text/csv").body("id,task\n1").fails(400, "PGRST102");
        ask("POST /todos")
                .body("{\"nope\":1}")
                .fails(400, "PGRST204")
                .contains("Could not find the 'nope' column of 'todos' in the schema cache");
        ask("POST /todos?columns=nope").body("[{\"id\":5}]").fails(400, "PGRST204");
        ask("POST /todos").body("{\"id\":6,\"task\":\"\\u0000\"}").fails(400, "22P05");
    }

    @Test
    void constraintsSpeakForThemselves() {
        ask("POST /todos").body("{\"id\":1}").fails(409, "23505").contains("Key (id)=(1) already exists.");
        ask("POST /child").body("{\"id\":2,\"todo\":77}").fails(409, "23503");
        ask("POST /child").body("{\"id\":2}").fails(400, "23502");
        ask("POST /todos").body("{\"id\":2,\"task\":\"much too long\"}").fails(400, "23514");
        ask("POST /frozen").body("{\"one\":2}").status(400);
        ask("POST /pot")
                .body("{\"id\":1}")
                .fails(418, "PT418")
                .contains("teapot")
                .contains("\"hint\":\"h\"");
    }

    @Test
    void whatIsForbiddenDependsOnWhoAsks() {
        ask("GET /closed").fails(401, "42501").has("WWW-Authenticate", "Bearer");
        ask("GET /closed").header("Test-Role", "user-1").fails(403, "42501");
        ask("GET /closed").header("Test-Role", "service").status(200);
    }

    @Test
    void mediaTypesAndPreferencesAreNegotiated() {
        ask("GET /todos").header("Accept", "text/plain, application/json;q=0.5").status(200);
        ask("GET /todos").header("Accept", "text/unknowable").fails(406, "PGRST107");
        ask("GET /todos").header("Accept", "text/plain").fails(406, "PGRST107");
        ask("GET /todos")
                .prefer("handling=strict, anything")
                .fails(400, "PGRST122")
                .contains("anything");
        ask("GET /todos").prefer("anything").status(200);
    }
}
