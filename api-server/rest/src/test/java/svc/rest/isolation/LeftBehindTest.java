package svc.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/**
 * A tenant's code in a request leaves no session state for the next request on the only connection, whether it succeeds,
 * fails or is cancelled.
 */
class LeftBehindTest {
    /** Commands that change the session; each runs alone and followed by an error. */
    private static final List<String> COMMANDS = List.of(
            "SET search_path = pg_catalog",
            "SET DateStyle = 'German'",
            "SET TimeZone = 'Asia/Tokyo'",
            "SET IntervalStyle = 'iso_8601'",
            "SET bytea_output = 'escape'",
            "SET extra_float_digits = -15",
            "SET standard_conforming_strings = off",
            "SET client_encoding = 'LATIN1'",
            "SET statement_timeout = 1",
            "SET lock_timeout = 1",
            "SET transaction_timeout = 1",
            "SET idle_session_timeout = 1",
            "SET default_transaction_read_only = on",
            "SET default_transaction_isolation = serializable",
            "SET row_security = off",
            "SET my.secret = 'kept'",
            "SELECT set_config('request.jwt.claims', '{\"sub\":\"mallory\"}', false)",
            "SELECT set_config('response.headers', '[{\"X-Left\":\"behind\"}]', false)",
            "SELECT set_config('response.status', '418', false)",
            "SELECT set_config('role', %1$L, false)",
            "SET ROLE NONE",
            "LISTEN gossip; NOTIFY gossip",
            "DECLARE kept CURSOR WITH HOLD FOR SELECT * FROM note",
            "PREPARE kept AS SELECT 1",
            "DEALLOCATE ALL",
            "CREATE TEMP TABLE note (id int)",
            // PostgreSQL asks no event trigger about it.
            "EXPLAIN ANALYZE CREATE TEMP TABLE note AS SELECT 1 AS id",
            "SELECT pg_advisory_lock(1)",
            "SELECT nextval('counter')");

    private static final String LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2";

    private static TestingProjects projects;
    private static TestingDataPlane plane;
    private static Tenant tenant;
    private static String clean;

    @BeforeAll
    static void serve() {
        projects = TestingProjects.create();
        // One connection, shared by all requests of both callers.
        plane = new TestingDataPlane(projects, PoolSettings.defaults().withCap(1), true);
        tenant = projects.project("leftover");
        projects.asOwner(tenant, """
                CREATE SEQUENCE counter;
                CREATE TABLE note (id int, owner text);
                INSERT INTO note VALUES (1, 'ann'), (2, 'bob');
                ALTER TABLE note ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON note TO PUBLIC
                    USING (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
                CREATE FUNCTION run(command text) RETURNS text LANGUAGE plpgsql AS $$
                BEGIN EXECUTE format(command, '%1$s_authenticated'); RETURN command; END $$;
                CREATE FUNCTION asked() RETURNS text LANGUAGE sql STABLE AS
                    $$ SELECT current_setting('request.headers', true)::json ->> 'x-run' $$;
                CREATE TABLE triggered (command text);
                CREATE FUNCTION run_row() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM run(NEW.command); RETURN NEW; END $$;
                CREATE TRIGGER now BEFORE INSERT ON triggered FOR EACH ROW EXECUTE FUNCTION run_row();
                CREATE TABLE late (command text);
                CREATE CONSTRAINT TRIGGER late AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION run_row();
                CREATE TABLE guarded (id int);
                INSERT INTO guarded VALUES (1);
                ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
                CREATE POLICY running ON guarded TO PUBLIC USING (run(asked()) IS NOT NULL);
                CREATE TABLE plain (id int);
                INSERT INTO plain VALUES (1);
                CREATE FUNCTION computed(plain) RETURNS text LANGUAGE sql VOLATILE AS 'SELECT run(asked())';
                CREATE FUNCTION related(plain) RETURNS SETOF note LANGUAGE plpgsql VOLATILE AS $$
                BEGIN PERFORM run(asked()); RETURN QUERY SELECT * FROM note; END $$;
                CREATE FUNCTION fail() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'after it'; END $$;
                CREATE FUNCTION state() RETURNS json LANGUAGE plpgsql AS $$
                DECLARE last text; held text := 'none';
                BEGIN
                    BEGIN EXECUTE 'FETCH kept'; held := 'cursor'; EXCEPTION WHEN OTHERS THEN NULL; END;
                    BEGIN SELECT lastval() INTO last; EXCEPTION WHEN OTHERS THEN last := SQLSTATE; END;
                    RETURN json_build_object(
                        'role', current_user, 'sub', current_setting('request.jwt.claims', true)::json ->> 'sub',
                        'path', current_setting('search_path'), 'secret', NULLIF(current_setting('my.secret', true), ''),
                        'left', NULLIF(current_setting('response.status', true), ''), 'date', '2026-11-21'::date::text,
                        'zone', current_setting('TimeZone'), 'span', '1 day'::interval::text, 'bytes', '\\x01'::bytea::text,
                        'float', (0.1::float8 + 0.2::float8)::text, 'quotes', current_setting('standard_conforming_strings'),
                        'encoding', current_setting('client_encoding'), 'statement', current_setting('statement_timeout'),
                        'lock', current_setting('lock_timeout'), 'transaction', current_setting('transaction_timeout'),
                        'idle', current_setting('idle_session_timeout'), 'read', current_setting('transaction_read_only'),
                        'level', current_setting('transaction_isolation'), 'rls', current_setting('row_security'),
                        'held', held, 'last', last, 'notes', (SELECT json_agg(id) FROM note));
                END $$;
                """.formatted(tenant.names().schemaName()));
        plane.serve(tenant);
        clean = state();
        assertThat(clean)
                .contains("\"sub\" : \"ann\"")
                .contains("\"notes\" : [1]")
                .contains("\"level\" : \"read committed\"");
    }

    @AfterAll
    static void close() {
        plane.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /rpc/run",
                "GET /rpc/run",
                "POST /triggered",
                "POST /late",
                "GET /guarded",
                "PATCH /guarded",
                "GET /plain?select=computed",
                "GET /plain?select=related(id)",
                "GET /plain?computed=neq.x"
            })
    void nothingIsSeenByTheNextRequest(String way) throws Exception {
        List<String> wrong = new ArrayList<>();
        for (String command : COMMANDS) {
            String escaped = command.replace("%1$L", "%L");
            for (String whole : List.of(escaped, "DO $x$ BEGIN " + escaped + "; PERFORM fail(); END $x$")) {
                run(way, whole);
                String seen = state();
                if (!seen.equals(clean)) {
                    wrong.add(whole + ": " + seen);
                }
                if (command.contains("advisory") && !projects.ask(LOCKS).equals("0")) {
                    wrong.add(whole + ": the lock stayed");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /**
     * Refused or not, the response is not a server error, except for limits that the code itself set for its session.
     */
    private static void run(String way, String command) throws JsonProcessingException {
        String[] parts = way.split(" ", 2);
        boolean call = parts[1].startsWith("/rpc");
        boolean write = parts[0].equals("POST");
        String body = new ObjectMapper().writeValueAsString(Map.of("command", command));
        String path =
                call && !write ? parts[1] + "?command=" + URLEncoder.encode(command, StandardCharsets.UTF_8) : parts[1];
        HttpResponse<String> answer = plane.request(
                tenant,
                parts[0],
                path,
                Map.of("Test-Role", "mallory", "X-Run", command),
                write ? body : parts[0].equals("PATCH") ? "{\"id\":2}" : null);
        // The rest of the request ran under the limits that its own code had set, or lost its connection by them.
        assertThat(answer.statusCode() < 500
                        || answer.body().matches("(?s).*\"(57014|25P04|55P03|PGRST001|PGRST11[12])\".*"))
                .as("%s %s: %s %s", way, command, answer.statusCode(), answer.body())
                .isTrue();
    }

    private static String state() {
        HttpResponse<String> answer = plane.request(tenant, "POST", "/rpc/state", Map.of("Test-Role", "ann"), "{}");
        return answer.statusCode() + answer.headers().firstValue("X-Left").orElse("") + " " + answer.body();
    }
}
