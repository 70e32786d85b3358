package svc.rest.guc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.service.TransactionEnd;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** What functions of a project say about the answer, and errors that they make up. */
class ResponseSettingsTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                        CREATE TABLE item (id int PRIMARY KEY);
                        INSERT INTO item VALUES (1);
                        CREATE FUNCTION say(headers text, status text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
                            PERFORM set_config('response.headers', headers, true);
                            PERFORM set_config('response.status', status, true);
                            RETURN 'said'; END $$;
                        CREATE FUNCTION raise_it(message text, detail text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                            RAISE SQLSTATE 'PGRST' USING MESSAGE = message, DETAIL = detail; END $$;
                        CREATE FUNCTION raise_plain() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                            RAISE SQLSTATE 'PGRST' USING MESSAGE = '{"code":"1","message":"m"}'; END $$;
                        CREATE FUNCTION before_each() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                            IF current_setting('request.headers')::json->>'stop' IS NOT NULL THEN
                                RAISE insufficient_privilege USING MESSAGE = 'stopped';
                            END IF;
                            PERFORM set_config('response.headers', '[{"x-before": "ran"}]', true); END $$;
                        CREATE FUNCTION written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                            PERFORM set_config('response.status', '202', true); RETURN NEW; END $$;
                        CREATE TABLE slow (id int);
                        CREATE TRIGGER says BEFORE INSERT ON slow FOR EACH ROW EXECUTE FUNCTION written();
                        """).also(false, "public.before_each", TransactionEnd.COMMIT);
    }

    private static RestCall say(String headers, String status) {
        return fixture.ask("POST /rpc/say")
                .body("{\"headers\":" + (headers == null ? "null" : "\"" + headers.replace("\"", "\\\"") + "\"")
                        + ",\"status\":" + (status == null ? "null" : "\"" + status + "\"") + "}");
    }

    @Test
    void aFunctionSetsHeadersAndStatus() {
        say("[{\"Cache-Control\":\"no-store\"},{\"Set-Cookie\":\"a=1\"},{\"Set-Cookie\":\"b=2\"}]", "201")
                .status(201)
                .has("Cache-Control", "no-store")
                .hasAll("Set-Cookie", "a=1", "b=2")
                .answers("\"said\"");
        say("[{\"content-type\":\"application/xml\"}]", null).status(200).hasAll("Content-Type", "application/xml");
        fixture.ask("POST /slow").body("{\"id\":1}").status(202);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "{}",
                "[1]",
                "[{\"a\":\"1\",\"b\":\"2\"}]",
                "[{\"a\":1}]",
                "[{\"a b\":\"1\"}]",
                "[{\"a\":\"x\\\\ny: z\"}]",
                "[{\"\":\"1\"}]"
            })
    void whatAreNoHeadersIsAnError(String headers) {
        say(headers, null).fails(500, "PGRST111");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "99", "100", "600", "-1", "2000"})
    void whatIsNoStatusIsAnError(String status) {
        say(null, status).fails(500, "PGRST112");
    }

    @Test
    void theConnectionStaysOurs() {
        say("[{\"Content-Length\":\"1\"},{\"Transfer-Encoding\":\"chunked\"},{\"Connection\":\"close\"}]", null)
                .status(200)
                .has("Content-Length", "6")
                .hasNot("Transfer-Encoding")
                .answers("\"said\"");
    }

    @Test
    void anErrorCanBeMadeUpAsAWhole() {
        raise(
                        "{\"code\":\"123\",\"message\":\"Payment Required\",\"details\":\"Quota\",\"hint\":\"Upgrade\"}",
                        "{\"status\":402,\"headers\":{\"X-Powered-By\":\"Nerd Rage\"}}")
                .status(402)
                .has("X-Powered-By", "Nerd Rage")
                .has("Proxy-Status", "PostgREST; error=123")
                .answers(
                        "{\"code\":\"123\",\"details\":\"Quota\",\"hint\":\"Upgrade\",\"message\":\"Payment Required\"}");
        raise("nonsense", "{\"status\":402,\"headers\":{}}")
                .fails(500, "PGRST121")
                .contains("Invalid JSON value for MESSAGE");
        raise("{\"code\":\"1\",\"message\":\"m\"}", "nonsense")
                .fails(500, "PGRST121")
                .contains("Invalid JSON value for DETAIL");
        raise("{\"code\":\"1\",\"message\":\"m\"}", "{\"status\":\"x\",\"headers\":{}}")
                .fails(500, "PGRST121");
        raise("{\"code\":\"1\",\"message\":\"m\"}", "{\"status\":42,\"headers\":{}}")
                .fails(500, "PGRST121");
        raise("{\"code\":\"1\",\"message\":\"m\"}", "{\"status\":400,\"headers\":{\"a\":\"b\\nc\"}}")
                .fails(500, "PGRST111");
        raise("{\"code\":\"a\\nb\",\"message\":\"m\"}", "{\"status\":400,\"headers\":{}}")
                .status(400)
                .hasNot("Proxy-Status");
        fixture.ask("POST /rpc/raise_plain").fails(500, "PGRST121").contains("DETAIL is missing");
    }

    private static RestCall raise(String message, String detail) {
        return fixture.ask("POST /rpc/raise_it")
                .body("{\"message\":" + quoted(message) + ",\"detail\":" + quoted(detail) + "}");
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Test
    void aFunctionRunsBeforeEachRequest() {
        fixture.askOther("GET /item").status(200).has("x-before", "ran").answers("[{\"id\":1}]");
        fixture.askOther("GET /item").header("stop", "1").fails(401, "42501").contains("stopped");
        fixture.askOther("POST /item").header("stop", "1").body("{\"id\":2}").fails(401, "42501");
        fixture.askOther("POST /item").header("x", "1").body("{\"id\":3}").status(201);
        assertThat(fixture.stored("string_agg(id::text, ',' ORDER BY id) FROM $item"))
                .isEqualTo("1,3");
        fixture.asOwner("DELETE FROM item WHERE id = 3");
    }
}
