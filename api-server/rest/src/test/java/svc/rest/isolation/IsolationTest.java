package svc.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.RestCall;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/** Each caller sees only what the policies of its project allow, regardless of previous users of the connection. */
class IsolationTest {
    private static final int CONNECTIONS = 4;

    private static TestingDataPlane plane;
    private static final List<Tenant> tenants = new ArrayList<>();

    @BeforeAll
    static void serve() {
        var projects = TestingProjects.create();
        plane = new TestingDataPlane(
                projects,
                PoolSettings.defaults().withCap(CONNECTIONS).withAcquireTimeout(Duration.ofSeconds(30)),
                true);
        for (int i = 0; i < 3; i++) {
            Tenant tenant = projects.project("isolate" + i);
            String schema = tenant.names().schemaName();
            projects.asOwner(tenant, """
                    CREATE TABLE note (id int, owner text, text text DEFAULT 'of %1$s');
                    INSERT INTO note VALUES (1, 'ann'), (2, 'bob'), (3, NULL);
                    ALTER TABLE note ENABLE ROW LEVEL SECURITY;
                    CREATE POLICY own ON note FOR SELECT TO %1$s_authenticated
                        USING (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
                    CREATE POLICY open ON note FOR SELECT TO %1$s_anon USING (owner IS NULL);
                    CREATE TABLE mess (command text);
                    CREATE FUNCTION make_mess() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN EXECUTE NEW.command; RETURN NEW; END $$;
                    CREATE TRIGGER mess BEFORE INSERT ON mess FOR EACH ROW EXECUTE FUNCTION make_mess();
                    CREATE VIEW about AS SELECT current_user::text AS role,
                        current_setting('request.jwt.claims', true)::json ->> 'sub' AS sub,
                        current_setting('request.method', true) AS method,
                        current_setting('request.path', true) AS path,
                        current_setting('request.headers', true)::json ->> 'x-mark' AS mark,
                        current_setting('statement_timeout') AS timeout;
                    """.formatted(schema));
            plane.serve(tenant);
            tenants.add(tenant);
        }
    }

    @AfterAll
    static void close() {
        plane.close();
        tenants.clear();
    }

    @Test
    void policiesSeeTheCallerOfThisRequest() {
        Tenant tenant = tenants.get(0);
        RestCall.ask(plane, tenant, "GET /note?select=id").answers("[{\"id\":3}]");
        RestCall.ask(plane, tenant, "GET /note?select=id")
                .header("Test-Role", "ann")
                .answers("[{\"id\":1}]");
        RestCall.ask(plane, tenant, "GET /note?select=id")
                .header("Test-Role", "bob")
                .answers("[{\"id\":2}]");
        RestCall.ask(plane, tenant, "GET /note?select=id")
                .header("Test-Role", "carl")
                .answers("[]");
        RestCall.ask(plane, tenant, "GET /note?select=id&order=id")
                .header("Test-Role", "service")
                .answers("[{\"id\":1},{\"id\":2},{\"id\":3}]");
        RestCall.ask(plane, tenant, "POST /note").body("{\"id\":4}").fails(401, "42501");
    }

    @Test
    void functionsCanReadTheRequest() {
        Tenant tenant = tenants.get(0);
        RestCall.ask(plane, tenant, "GET /about?select=role,sub,method,path,mark")
                .header("Test-Role", "ann")
                .header("X-Mark", "quote ' here")
                .answers(
                        "[{\"role\":\"" + tenant.names().schemaName()
                                + "_authenticated\",\"sub\":\"ann\",\"method\":\"GET\",\"path\":\"/about\",\"mark\":\"quote ' here\"}]");
    }

    @Test
    void concurrentCallersOfThreeProjectsNeverMeet() throws Exception {
        List<String> commands = List.of(
                "SELECT 1/0",
                "SET statement_timeout = 0",
                "LISTEN gossip",
                "DECLARE c CURSOR WITH HOLD FOR SELECT * FROM note",
                "SET \"request.jwt.claims\" = '{\"sub\":\"bob\"}'",
                "SET ROLE authenticated_of_nobody",
                "DEALLOCATE ALL",
                "SET DateStyle = 'German'",
                "SET search_path = pg_catalog",
                "SELECT pg_sleep(0.02)");
        List<String> wrong = new ArrayList<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(12)) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 900; i++) {
                Tenant tenant = tenants.get(i % tenants.size());
                String command = commands.get(i % commands.size());
                int kind = i % 4;
                answers.add(callers.submit(() -> kind == 0 ? mess(tenant, command) : look(tenant, kind)));
            }
            for (Future<String> answer : answers) {
                if (!answer.get().isEmpty()) {
                    wrong.add(answer.get());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String mess(Tenant tenant, String command) {
        HttpResponse<String> answer = plane.request(
                tenant, "POST", "/mess", Map.of(), "{\"command\":\"" + command.replace("\"", "\\\"") + "\"}");
        return answer.statusCode() >= 500 ? command + ": " + answer.statusCode() + " " + answer.body() : "";
    }

    private static String look(Tenant tenant, int kind) {
        String who = kind == 1 ? "ann" : kind == 2 ? "bob" : null;
        Map<String, String> headers = who == null ? Map.of() : Map.of("Test-Role", who);
        String notes = plane.request(tenant, "GET", "/note?select=id,text", headers, null)
                .body();
        int id = who == null ? 3 : kind;
        String expected = "[{\"id\":" + id + ",\"text\":\"of " + tenant.names().schemaName() + "\"}]";
        String about = plane.request(tenant, "GET", "/about?select=sub,timeout", headers, null)
                .body();
        String sub = who == null ? "null" : "\"" + who + "\"";
        String expectedAbout = "[{\"sub\":" + sub + ",\"timeout\":\"8s\"}]";
        return notes.equals(expected) && about.equals(expectedAbout) ? "" : notes + " " + about;
    }
}
