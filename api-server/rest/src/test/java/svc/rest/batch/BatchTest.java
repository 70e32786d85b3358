package svc.rest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.service.TransactionEnd;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** Several requests in one transaction: all of them, or none. */
class BatchTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                        CREATE TABLE account (id int PRIMARY KEY, balance numeric NOT NULL CHECK (balance >= 0));
                        CREATE TABLE entry (id int PRIMARY KEY, account int
                            REFERENCES account DEFERRABLE INITIALLY DEFERRED);
                        CREATE FUNCTION who() RETURNS text LANGUAGE sql STABLE
                            AS $$SELECT current_user::text || '|' || current_setting('request.path')$$;
                        CREATE FUNCTION become(role text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
                            PERFORM set_config('role', role, true);
                            PERFORM set_config('request.path', 'forged', true);
                            PERFORM set_config('search_path', 'pg_catalog', true);
                            PERFORM set_config('response.headers', '[{"x-left": "over"}]', true);
                            RETURN 'x'; END $$;
                        CREATE TABLE closed (id int);
                        REVOKE ALL ON closed FROM PUBLIC;
                        """).also(false, null, TransactionEnd.COMMIT_ALLOW_OVERRIDE);
        fixture.asOwner("REVOKE ALL ON closed FROM \"" + fixture.schema() + "_anon\"");
    }

    @BeforeEach
    void fill() {
        fixture.asOwner("TRUNCATE account, entry; INSERT INTO account VALUES (1, 100), (2, 0)");
    }

    private static RestCall batch(String body) {
        return fixture.ask("POST /").body(body);
    }

    private static String balances() {
        return fixture.stored("string_agg(balance::text, ',' ORDER BY id) FROM $account");
    }

    @Test
    void requestsRunInOrderAndSeeEachOther() {
        batch("""
                [{"method":"PATCH","path":"/account?id=eq.1","body":{"balance":70.10}},
                 {"method":"PATCH","path":"/account?id=eq.2","body":{"balance":30},
                  "headers":{"Prefer":"return=representation"}},
                 {"path":"/account?select=balance&order=id"},
                 {"method":"GET","path":"/account?select=id&id=eq.2","headers":{"Accept":"text/csv"}}]""")
                .status(200)
                .has("Content-Type", "application/json; charset=utf-8")
                .contains("[{\"status\":204,\"headers\":{\"Content-Range\":\"0-0/*\"},\"body\":null},"
                        + "{\"status\":200,\"headers\":{\"Content-Range\":\"0-0/*\",\"Content-Type\":"
                        + "\"application/json; charset=utf-8\",\"Preference-Applied\":\"return=representation\"},"
                        + "\"body\":[{\"id\":2,\"balance\":30}]},")
                .contains("\"body\":[{\"balance\":70.10}, \n {\"balance\":30}]}")
                .contains("\"body\":\"id\\n2\"}]");
        assertThat(balances()).isEqualTo("70.10,30");
    }

    @Test
    void numbersArriveAsTheyWereWritten() {
        batch(
                        "[{\"method\":\"POST\",\"path\":\"/account\",\"body\":{\"id\":3,\"balance\":12345678901234567890.12345}}]")
                .status(200)
                .contains("\"status\":201");
        assertThat(fixture.stored("balance FROM $account WHERE id = 3")).isEqualTo("12345678901234567890.12345");
    }

    @Test
    void oneThatFailsUndoesAll() {
        batch("""
                [{"method":"PATCH","path":"/account?id=eq.2","body":{"balance":500}},
                 {"method":"PATCH","path":"/account?id=eq.1","body":{"balance":-1}}]""").fails(400, "23514").contains("\"request\":1}");
        batch("""
                [{"method":"DELETE","path":"/account?id=eq.2"},
                 {"method":"DELETE","path":"/account","headers":{"Prefer":"handling=strict, max-affected=0"}}]""").fails(400, "PGRST124").contains("\"request\":1}");
        batch("[{\"method\":\"DELETE\",\"path\":\"/account?id=eq.2\"},{\"path\":\"/nope\"}]")
                .fails(404, "PGRST205")
                .contains("\"request\":1}");
        batch("[{\"method\":\"DELETE\",\"path\":\"/account?id=eq.2\"},{\"path\":\"/closed\"}]")
                .fails(401, "42501")
                .contains("\"request\":1}");
        assertThat(balances()).isEqualTo("100,0");
    }

    @Test
    void whatFailsAtTheEndUndoesAll() {
        batch("""
                [{"method":"PATCH","path":"/account?id=eq.2","body":{"balance":5}},
                 {"method":"POST","path":"/entry","body":{"id":1,"account":99}}]""").fails(409, "23503");
        assertThat(balances()).isEqualTo("100,0");
        batch("""
                [{"method":"POST","path":"/entry","body":{"id":1,"account":99}},
                 {"method":"POST","path":"/account","body":{"id":99,"balance":1}}]""").status(200);
    }

    @Test
    void oneRequestLeavesNothingToTheNext() {
        batch("[{\"method\":\"POST\",\"path\":\"/rpc/become\",\"body\":{\"role\":\"" + fixture.schema()
                        + "_authenticated\"}},{\"path\":\"/rpc/who\",\"headers\":{\"Authorization\":\"Bearer x\"}}]")
                .status(200)
                .contains("\"x-left\":\"over\"},\"body\":\"x\"}")
                .contains(
                        "\"headers\":{\"Content-Range\":\"0-0/*\",\"Content-Type\":\"application/json; charset=utf-8\"},"
                                + "\"body\":\"" + fixture.schema() + "_anon|/rpc/who\"}");
    }

    @Test
    void aRehearsalIsUndone() {
        fixture.askOther("POST /")
                .prefer("tx=rollback")
                .body("[{\"method\":\"DELETE\",\"path\":\"/account\"}]")
                .status(200);
        assertThat(balances()).isEqualTo("100,0");
    }

    @Test
    void getChangesNothing() {
        batch("[{\"path\":\"/rpc/become?role=x\"}]").fails(405, "PGRST101");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[1]",
                "[{}]",
                "[{\"path\":\"account\"}]",
                "[{\"path\":1}]",
                "[{\"path\":\"/account\",\"method\":\"TRACE\"}]",
                "[{\"path\":\"/account\",\"method\":\"OPTIONS\"}]",
                "[{\"path\":\"/account\",\"headers\":[]}]",
                "[{\"path\":\"/account\",\"headers\":{\"a\":1}}]",
                "[{\"path\":\"/account\",\"more\":1}]",
                "[{\"path\":\"/account\"}",
                "[{\"path\":\"/account\"}] x"
            })
    void whatIsNoBatchIsRefused(String body) {
        batch(body).fails(400, "PGRST102");
    }

    @Test
    void countsMayBeThePlanners() {
        fixture.asOwner("ANALYZE account");
        batch("[{\"path\":\"/account?limit=1\",\"headers\":{\"Prefer\":\"count=planned\"}},"
                        + "{\"path\":\"/account?limit=1\",\"headers\":{\"Prefer\":\"count=estimated\"}},"
                        + "{\"method\":\"DELETE\",\"path\":\"/account\"}]")
                .status(200)
                .contains("\"Content-Range\":\"0-0/2\",\"Content-Type\":\"application/json; charset=utf-8\","
                        + "\"Preference-Applied\":\"count=planned\"");
    }

    @Test
    void aBatchIsBounded() {
        String one = "{\"path\":\"/account?limit=1\"}";
        batch("[" + String.join(",", Collections.nCopies(100, one)) + "]").status(200);
        batch("[" + String.join(",", Collections.nCopies(101, one)) + "]").fails(400, "PGRST102");
        batch("[]").status(200).answers("[]");
        batch("[{\"method\":\"POST\",\"path\":\"/\",\"body\":[]}]").fails(404, "PGRST125");
    }
}
