package svc.rest.rpc;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.RestCall;

/** Which function a call means, and what it is given. */
class RpcArgumentsTest {
    private static RpcFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = RpcFixture.serve();
    }

    private static RestCall ask(String request) {
        return fixture.ask(request);
    }

    @Test
    void argumentsComeFromTheQueryOrTheBody() {
        ask("GET /rpc/add_them?a=1&b=2").status(200).answers("3");
        ask("POST /rpc/add_them").body("{\"a\":4,\"b\":5}").answers("9");
        ask("POST /rpc/add_them")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .body("a=6&b=7")
                .answers("13");
        ask("POST /rpc/hello").answers("\"hello\"");
        ask("GET /rpc/odd%20Name?a%20b=7").answers("7");
        ask("GET /rpc/add_them?a=x&b=2").fails(400, "22P02");
    }

    @Test
    void aDefaultStandsForWhatIsNotGiven() {
        ask("GET /rpc/greet?name=Ada").answers("\"Hi, Ada\"");
        ask("POST /rpc/greet").body("{\"name\":\"Ada\",\"greeting\":\"Ciao\"}").answers("\"Ciao, Ada\"");
        ask("POST /rpc/greet?columns=name")
                .body("{\"name\":\"Ada\",\"more\":1}")
                .answers("\"Hi, Ada\"");
    }

    @Test
    void aVariadicParameterTakesAList() {
        ask("GET /rpc/sum_all?v=1&v=2&v=3").answers("6");
        ask("GET /rpc/sum_all?v=5").answers("5");
        ask("POST /rpc/sum_all").body("{\"v\":[1,2]}").answers("3");
        ask("GET /rpc/join_all?v=a,b&v=%22q%22&v=back%5Cslash").answers("\"a,b|\\\"q\\\"|back\\\\slash\"");
        ask("GET /rpc/length_of?v={a,b}").answers("2");
        ask("POST /rpc/length_of").body("{\"v\":[\"a\",\"b\",\"c\"]}").answers("3");
    }

    @Test
    void aParameterWithoutANameTakesTheWholeBody() {
        ask("POST /rpc/whole").body("[1,{\"a\":2}]").answers("[1,{\"a\":2}]");
        ask("POST /rpc/whole").body("\"text\"").answers("\"text\"");
        ask("POST /rpc/whole_text")
                .header("Content-Type", "text/plain")
                .body("quiet")
                .answers("\"QUIET\"");
        ask("POST /rpc/whole_bytes")
                .header("Content-Type", "application/octet-stream")
                .body("12345")
                .answers("5");
        ask("POST /rpc/whole_xml")
                .header("Content-Type", "text/xml")
                .header("Accept", "text/xml")
                .body("<a/>")
                .has("Content-Type", "text/xml; charset=utf-8")
                .answers("<a/>");
    }

    @Test
    void anEmptyKeyNamesTheParameterWithoutAName() {
        ask("POST /rpc/whole_text").body("{\"\":\"abc\"}").status(200).answers("\"{\\\"\\\":\\\"ABC\\\"}\"");
        ask("POST /rpc/whole").body("{\"\":\"abc\"}").status(200).answers("{\"\":\"abc\"}");
        ask("POST /rpc/whole_bytes").body("{\"\":\"\\\\\"}").status(200).answers("9");
        ask("POST /rpc/hello").body("{\"\":\"abc\"}").fails(404, "PGRST202");
        ask("POST /rpc/whole_text").body("{\"a\":\"abc\"}").fails(404, "PGRST202");
        ask("GET /rpc/whole_text?=abc").fails(404, "PGRST202");
    }

    @Test
    void csvIsNoBodyForAJsonParameter() {
        ask("POST /rpc/whole")
                .header("Content-Type", "text/csv")
                .body("a\n1")
                .fails(404, "PGRST202")
                .contains("Searched for the function public.whole with parameter a, but no matches");
        ask("POST /rpc/add_them")
                .header("Content-Type", "text/csv")
                .body("a,b\n1,2\n5,6")
                .answers("3");
    }

    @Test
    void functionsThatDifferInParametersWithoutNamesAreAmbiguous() {
        fixture.asOwner("CREATE FUNCTION vague() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';"
                + "CREATE FUNCTION vague(text DEFAULT 'x') RETURNS int LANGUAGE sql STABLE AS 'SELECT 2'");
        ask("GET /rpc/vague").fails(300, "PGRST203").contains("public.vague()").contains("public.vague( => text)");
        ask("POST /rpc/vague").body("{}").fails(300, "PGRST203");
        ask("POST /rpc/vague").body("{\"\":\"y\"}").status(200).answers("2");
    }

    @Test
    void namesDecideBetweenFunctionsOfOneName() {
        ask("GET /rpc/over?a=1").answers("\"a\"");
        ask("GET /rpc/over?a=1&b=2").answers("\"ab\"");
        ask("GET /rpc/twice?x=1")
                .fails(300, "PGRST203")
                .contains("Could not choose the best candidate function between: ")
                .contains("public.twice(x => integer)")
                .contains("public.twice(x => text)")
                .contains(
                        "Try renaming the parameters or the function itself in the database so function overloading can"
                                + " be resolved");
    }

    /** Those with the fewest parameters first, then by the names and types of parameters. */
    @Test
    void candidatesAreInOrder() {
        fixture.asOwner("CREATE FUNCTION ranked(x int, y int DEFAULT 1) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';"
                + "CREATE FUNCTION ranked(x text) RETURNS int LANGUAGE sql STABLE AS 'SELECT 2';"
                + "CREATE FUNCTION ranked(x int) RETURNS int LANGUAGE sql STABLE AS 'SELECT 3'");
        ask("GET /rpc/ranked?x=1")
                .fails(300, "PGRST203")
                .contains("between: public.ranked(x => integer), public.ranked(x => text),"
                        + " public.ranked(x => integer, y => integer)\"");
    }

    @Test
    void aFunctionThatIsNotThere() {
        String schema = "public";
        ask("GET /rpc/helo")
                .fails(404, "PGRST202")
                .contains("\"message\":\"Could not find the function " + schema
                        + ".helo without parameters in the schema cache\"")
                .contains("\"details\":\"Searched for the function " + schema
                        + ".helo without parameters, but no matches were found in the schema cache.\"")
                .contains("Perhaps you meant to call the function " + schema + ".hello");
        ask("POST /rpc/add_them")
                .body("{\"b\":1,\"a\":1,\"c\":1}")
                .fails(404, "PGRST202")
                .contains("Could not find the function " + schema + ".add_them(a, b, c) in the schema cache")
                .contains("Searched for the function " + schema + ".add_them with parameters a, b, c or with a single"
                        + " unnamed json/jsonb parameter, but no matches were found in the schema cache.")
                .contains("Perhaps you meant to call the function " + schema + ".add_them(a, b)");
        ask("POST /rpc/add_them")
                .header("Content-Type", "text/plain")
                .body("x")
                .fails(404, "PGRST202")
                .contains("Could not find the function " + schema + ".add_them in the schema cache")
                .contains("with a single unnamed text parameter, but")
                .contains("\"hint\":null");
        ask("GET /rpc/add_them?a=1").fails(404, "PGRST202").contains(" with parameter a, but");
    }

    @Test
    void aNewFunctionIsSeenAtOnce() {
        ask("GET /rpc/newborn").fails(404, "PGRST202");
        fixture.asOwner("CREATE FUNCTION newborn() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1'");
        ask("GET /rpc/newborn").answers("1");
    }

    @Test
    void whatCannotBeCalledThatWay() {
        ask("PATCH /rpc/hello").body("{}").fails(405, "PGRST101").contains("Cannot use the PATCH method on RPC");
        ask("DELETE /rpc/hello").fails(405, "PGRST101");
        ask("PUT /rpc/hello").body("{}").fails(405, "PGRST101");
        ask("POST /rpc/hello").body("{").fails(400, "PGRST102");
        ask("POST /rpc/hello")
                .header("Content-Type", "image/png")
                .body("x")
                .fails(400, "PGRST102")
                .contains("Content-Type not acceptable: image/png");
        ask("GET /rpc/hello/more").fails(404, "PGRST125");
        ask("OPTIONS /rpc/hello").status(200).has("Allow", "OPTIONS,GET,HEAD,POST");
        ask("OPTIONS /rpc/write_it").status(200).has("Allow", "OPTIONS,POST");
        ask("OPTIONS /rpc/nope").fails(404, "PGRST202");
    }

    @Test
    void aCallerMayCallOnlyWhatItsRoleMay() {
        fixture.asOwner("CREATE FUNCTION secret() RETURNS int LANGUAGE sql STABLE AS 'SELECT 42';"
                + "REVOKE EXECUTE ON FUNCTION secret() FROM PUBLIC, \"" + fixture.schema() + "_anon\"");
        ask("GET /rpc/secret").fails(401, "42501");
    }
}
