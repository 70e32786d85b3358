package svc.rest.fuzz;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;
import svc.rest.RestCall;

/** Small requests with expensive responses: each is refused with PostgREST's error or answered completely. */
class BombsTest {
    private static ReadFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.ownProject();
        fixture.projects().asOwner(fixture.tenant(), """
                CREATE VIEW flood AS SELECT i AS id, repeat('x', 1000000) AS text FROM generate_series(1, 90) i;
                CREATE VIEW many AS SELECT i AS id FROM generate_series(1, 1000000) i;
                CREATE TABLE wide (id int PRIMARY KEY, t text, j jsonb, a int[]);
                CREATE FUNCTION echo(json) RETURNS json LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
                """);
    }

    private static String times(int count, String separator, String pattern) {
        return IntStream.range(0, count)
                .mapToObj(i -> pattern.replace("#", Integer.toString(i)))
                .collect(Collectors.joining(separator));
    }

    @Test
    void resourcesAreNestedThirtyDeep() {
        fixture.ask("GET /clients?id=eq.3&select=id," + chain(30)).status(200);
        fixture.ask("GET /clients?select=id," + chain(31)).fails(400, "PGRST100");
        fixture.ask("GET /clients?select=id," + chain(900)).fails(400, "PGRST100");
    }

    /** Clients with projects with their client with … */
    private static String chain(int depth) {
        String open = IntStream.range(0, depth)
                .mapToObj(i -> i % 2 == 0 ? "projects(id," : "clients(id,")
                .collect(Collectors.joining());
        return open + "n:name" + ")".repeat(depth);
    }

    @Test
    void aRequestHasFiftyResources() {
        fixture.ask("GET /clients?select=id," + times(50, ",", "a#:projects(id,name)"))
                .status(200);
        fixture.ask("GET /clients?select=id," + times(50, ",", "a#:projects!inner(id)"))
                .status(200);
        fixture.ask("GET /projects?select=id," + times(50, ",", "...clients(a#:name)"))
                .status(200);
        fixture.ask("GET /clients?select=id," + times(51, ",", "a#:projects(id)"))
                .fails(400, "PGRST100");
    }

    @Test
    void aRowHasAsManyItemsAsPostgresqlGives() {
        fixture.ask("GET /clients?select=" + times(1_600, ",", "a#:id")).status(200);
        fixture.ask("GET /clients?select=" + times(1_601, ",", "a#:id")).fails(400, "PGRST100");
        fixture.ask("GET /clients?select=" + times(600, ",", "*")).fails(400, "54011");
        fixture.ask("GET /todo?select=id&order=" + times(1_800, ",", "extra->>#"))
                .fails(400, "54011");
    }

    @Test
    void aPathInJsonHasAHundredArrows() {
        fixture.ask("GET /todo?select=x:extra" + times(100, "", "->a")).status(200);
        fixture.ask("GET /todo?select=x:extra" + times(101, "", "->a")).fails(400, "PGRST100");
        fixture.ask("GET /todo?extra" + times(5_000, "", "->a") + "=is.null").fails(400, "PGRST100");
        fixture.ask("GET /todo?order=extra" + times(5_000, "", "->a")).fails(400, "PGRST100");
    }

    @Test
    void logicIsNestedFiftyDeep() {
        fixture.ask("GET /todo?select=id&or=" + "(or".repeat(50) + "(id.eq.1)" + ")".repeat(50))
                .status(200);
        fixture.ask("GET /todo?or=" + "(or".repeat(51) + "(id.eq.1)" + ")".repeat(51))
                .fails(400, "PGRST100");
        fixture.ask("GET /todo?or=" + "(not.and".repeat(3_000)).fails(400, "PGRST100");
    }

    @Test
    void manyConditionsAreOneCondition() {
        fixture.ask("GET /todo?select=id&or=(" + times(3_000, ",", "id.eq.#") + ")&order=id")
                .status(200);
        fixture.ask("GET /todo?select=id&" + times(3_000, "&", "id=neq.99")).status(200);
        fixture.ask("GET /todo?select=id&id=in.(" + times(5_000, ",", "#") + ")")
                .status(200);
    }

    /** A long request has no Content-Location, because clients and proxies refuse long headers. */
    @Test
    void anAnswersHeadersAreShort() {
        fixture.ask("GET /todo?id=eq.1").has("Content-Location", "/todo?id=eq.1");
        fixture.ask("GET /todo?select=id&id=in.(" + times(600, ",", "#") + ")")
                .status(200)
                .hasNot("Content-Location");
    }

    /** PostgreSQL refuses values that nest too deeply: a client error, not a server error. */
    @Test
    void valuesThatNestAreRefused() {
        fixture.ask("GET /todo?tags=eq." + "{".repeat(7) + "a" + "}".repeat(7)).status(400);
        fixture.ask("GET /todo?extra=eq." + "[".repeat(20_000)).status(400);
        fixture.ask("GET /todo?tsv=fts." + "(".repeat(20_000)).status(400);
        fixture.ask("GET /todo?task=match." + "(".repeat(20_000)).status(400);
        fixture.ask("GET /todo?task=match." + "(a*)*".repeat(200)).status(200);
        fixture.ask("GET /todo?task=like." + "*a".repeat(5_000)).status(200);
    }

    @Test
    void bodiesThatNestAreRefusedOrStored() {
        body("{\"id\":1,\"j\":" + "[".repeat(900) + "]".repeat(900) + "}").status(201);
        body("{\"id\":2,\"j\":" + "[".repeat(1_001) + "]".repeat(1_001) + "}").fails(400, "PGRST102");
        body("[".repeat(100_000)).fails(400, "PGRST102");
        body("{\"a\":".repeat(100_000)).fails(400, "PGRST102");
        fixture.ask("POST /rpc/echo").body("[".repeat(100_000)).fails(400, "PGRST102");
    }

    @Test
    void longValuesAreStored() {
        body("{\"id\":10,\"t\":\"" + "\u00e9".repeat(100_000) + "\"}").status(201);
        body("{\"id\":11,\"" + "k".repeat(100_000) + "\":1}").status(400);
        body("{\"id\":" + "9".repeat(100_000) + "}").status(400);
        body("[" + times(20_000, ",", "{\"id\":1#00,\"t\":null}") + "]").status(201);
        body("[" + times(200, ",", "{\"id\":2#,\"k#\":1}") + "]").fails(400, "PGRST102");
    }

    /** The platform's size limit of one response protects the memory of the process. */
    @Test
    void anAnswerHasAnEnd() {
        fixture.ask("GET /flood").fails(400, "54000").contains("the answer is larger than 64M");
        fixture.ask("GET /many?select=id").status(200);
        RestCall.ask(fixture.plane(), fixture.tenant(), "GET /many?select=id&limit=1000000")
                .has("Content-Range", "0-999/*");
    }

    private static RestCall body(String json) {
        return fixture.ask("POST /wide").body(json);
    }
}
