package svc.rest.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.rest.RestCall;
import svc.rest.testing.SharedDataPlane;

/** Further schemas of a project: exposed ones answer by the name that their owner wrote, others do not exist. */
class ExposedSchemasTest {
    private static Tenant main;
    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        main = SharedDataPlane.project("""
                CREATE TABLE todo (id int PRIMARY KEY, title text);
                INSERT INTO todo VALUES (1, 'of main');
                CALL svc_statements.create_schema('api', false, NULL);
                CALL svc_statements.create_schema('private', false, NULL);
                CALL svc_statements.create_schema('closed', false, NULL)""");
        String schema = main.names().schemaName();
        SharedDataPlane.PROJECTS.asOwner(main, """
                CREATE TABLE $S__api.client (id int PRIMARY KEY, name text);
                CREATE TABLE $S__api.todo (id int PRIMARY KEY, title text, client_id int REFERENCES $S__api.client);
                INSERT INTO $S__api.client VALUES (1, 'Acme');
                INSERT INTO $S__api.todo VALUES (1, 'of api', 1);
                CREATE FUNCTION $S__api.count_main() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM $S.todo';
                CREATE FUNCTION $S__api.by_path() RETURNS SETOF text LANGUAGE plpgsql STABLE AS
                    'BEGIN RETURN QUERY SELECT title FROM todo; END';
                CREATE FUNCTION $S.shout($S__api.client) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1.name)';
                CREATE FUNCTION $S__private.check_request() RETURNS void LANGUAGE plpgsql AS
                    'BEGIN IF current_setting(''request.path'', true) = ''/refused'' THEN RAISE EXCEPTION ''no''; END IF; END';
                CREATE TABLE $S__private.secret (id int PRIMARY KEY);
                CREATE TABLE $S__closed.t (id int PRIMARY KEY);
                GRANT ALL ON ALL TABLES IN SCHEMA $S__api, $S__private, $S__closed TO $S_anon, $S_service;
                CALL svc_statements.grant_on_schemas('{api,private}', '{$S_anon,$S_service}', true)""".replace("$S", schema));
        tenant = serve(List.of("public", "api", "closed", "nowhere"));
    }

    private static Tenant serve(List<String> exposed) {
        return SharedDataPlane.PLANE.serve(
                main, SharedDataPlane.ref(), main.rest().withExposedSchemas(exposed));
    }

    private static RestCall ask(Tenant under, String request) {
        return RestCall.ask(SharedDataPlane.PLANE, under, request);
    }

    private static RestCall ask(String request) {
        return ask(tenant, request);
    }

    @Test
    void theProfileSelectsTheSchema() {
        ask("GET /todo?select=title").has("Content-Profile", "public").answers("[{\"title\":\"of main\"}]");
        ask("GET /todo?select=title")
                .header("Accept-Profile", "api")
                .has("Content-Profile", "api")
                .answers("[{\"title\":\"of api\"}]");
        ask("GET /todo?select=title")
                .header("Accept-Profile", "public")
                .has("Content-Profile", "public")
                .answers("[{\"title\":\"of main\"}]");
        ask("GET /todo?select=title,client(name,shout)")
                .header("Accept-Profile", "api")
                .answers("[{\"title\":\"of api\",\"client\":{\"name\": \"Acme\", \"shout\": \"ACME\"}}]");
        ask("POST /client")
                .header("Content-Profile", "api")
                .body("{\"id\":2,\"name\":\"New\"}")
                .status(201);
        ask("DELETE /client?id=eq.2").header("Content-Profile", "api").status(204);
        ask("POST /client").body("{\"id\":3,\"name\":\"New\"}").fails(404, "PGRST205");
        ask("GET /rpc/count_main").header("Accept-Profile", "api").answers("1");
        ask("GET /rpc/by_path").header("Accept-Profile", "api").answers("[\"of api\"]");
    }

    @Test
    void anotherSchemaIsRefusedInTheOwnersWords() {
        for (String profile : List.of(
                "private",
                main.names().schemaName() + "__private",
                "auth",
                main.names().schemaName() + "_auth",
                "svc_guard",
                "pg_catalog",
                "API",
                "\"api\"",
                "other")) {
            ask("GET /todo")
                    .header("Accept-Profile", profile)
                    .fails(406, "PGRST106")
                    .contains("Only the following schemas are exposed: public, api, closed, nowhere");
            ask("POST /todo").header("Content-Profile", profile).body("{}").fails(406, "PGRST106");
        }
        ask(main, "GET /todo")
                .header("Accept-Profile", "api")
                .fails(406, "PGRST106")
                .contains("Only the following schemas are exposed: public\"");
    }

    @Test
    void oneThatIsNotThereOrGrantsNothingIsNoFault() {
        ask("GET /t").header("Accept-Profile", "nowhere").fails(404, "PGRST205").contains("nowhere.t");
        ask("GET /").header("Accept-Profile", "nowhere").status(200);
        ask("GET /rpc/f").header("Accept-Profile", "nowhere").fails(404, "PGRST202");
        ask("GET /t").header("Accept-Profile", "closed").fails(401, "42501").contains("closed");
    }

    @Test
    void theFirstIsTheDefaultAndPublicMayBeLeftOut() {
        Tenant api = serve(List.of("api"));
        ask(api, "GET /todo?select=title").answers("[{\"title\":\"of api\"}]");
        ask(api, "GET /todo").header("Accept-Profile", "public").fails(406, "PGRST106");
        ask(api, "GET /client?select=shout&limit=1").answers("[{\"shout\":\"ACME\"}]");
        ask(api, "GET /").contains("\"/client\"").hasNoText("proj_");
        ask("GET /").contains("\"/todo\"").hasNoText("\"/client\"");
        ask("GET /").header("Accept-Profile", "api").contains("\"/client\"").hasNoText("proj_");
    }

    @Test
    void aChangeInItIsSeenAtOnce() {
        Tenant api = serve(List.of("api"));
        String schema = main.names().schemaName();
        for (int round = 0; round < 3; round++) {
            ask(api, "GET /fresh").fails(404, "PGRST205");
            SharedDataPlane.PROJECTS.asOwner(
                    main,
                    "CREATE TABLE $S__api.fresh (id int); GRANT SELECT ON $S__api.fresh TO $S_anon"
                            .replace("$S", schema));
            ask(api, "GET /fresh").answers("[]");
            SharedDataPlane.PROJECTS.asOwner(main, "DROP TABLE " + schema + "__api.fresh");
        }
    }

    @Test
    void messagesHaveTheNamesThatTheOwnerWrote() {
        ask("POST /todo")
                .header("Content-Profile", "api")
                .body("{\"id\":9,\"client_id\":99}")
                .fails(409, "23503")
                .hasNoText("proj_");
        ask("GET /nothing")
                .header("Accept-Profile", "api")
                .fails(404, "PGRST205")
                .contains("'api.nothing'");
    }

    @Test
    void aFunctionOfAFurtherSchemaRunsBeforeEachRequest() {
        RestSettings own = main.rest();
        Tenant checked = SharedDataPlane.PLANE.serve(
                main,
                SharedDataPlane.ref(),
                own.with(new RestSettings.Transactions(Optional.of("private.check_request"), own.txEnd())));
        ask(checked, "GET /todo?select=title").answers("[{\"title\":\"of main\"}]");
        ask(checked, "GET /refused").status(404);
    }

    @Test
    void whatCannotBeASchemaOfAProjectExposesNothing() {
        Tenant odd =
                serve(List.of("auth", "pg_catalog", "svc_guard", main.names().schemaName() + "_auth", "Api"));
        assertThat(odd.exposedSchemas()).containsExactly(main.names().schemaName());
        ask(odd, "GET /users").header("Accept-Profile", "auth").fails(406, "PGRST106");
        ask(odd, "GET /todo?select=title").answers("[{\"title\":\"of main\"}]");
    }
}
