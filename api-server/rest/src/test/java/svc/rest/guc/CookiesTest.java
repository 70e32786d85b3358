package svc.rest.guc;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.WritingFixture;

/** The cookies of a request for policies and functions, under PostgREST's setting. */
class CookiesTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                CREATE FUNCTION cookies() RETURNS json LANGUAGE sql STABLE
                    AS $$ SELECT current_setting('request.cookies')::json $$;
                CREATE FUNCTION header(name text) RETURNS text LANGUAGE sql STABLE
                    AS $$ SELECT current_setting('request.headers')::json ->> name $$;
                """);
    }

    @Test
    void theyAreASettingOfTheirOwn() {
        fixture.ask("POST /rpc/cookies")
                .header("Cookie", "session=ab=c; theme=\"dark\";empty=; alone;a=1;a=2")
                .body("{}")
                .answers("{\"session\":\"ab=c\",\"theme\":\"\\\"dark\\\"\",\"empty\":\"\",\"alone\":\"\",\"a\":\"2\"}");
        fixture.ask("GET /rpc/header?name=cookie").header("Cookie", "a=1").answers("null");
    }

    /** A setting that only some transactions have is an empty text in the others, and no JSON. */
    @Test
    void aRequestWithoutCookiesHasAnEmptyObject() {
        fixture.ask("GET /rpc/cookies").header("Cookie", "a=1").answers("{\"a\":\"1\"}");
        fixture.ask("GET /rpc/cookies").answers("{}");
        fixture.ask("GET /rpc/cookies").answers("{}");
    }
}
