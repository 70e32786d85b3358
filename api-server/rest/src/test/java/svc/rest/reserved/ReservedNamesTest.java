package svc.rest.reserved;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** Columns and arguments whose names are reserved in a query string: a filter by one is applied or refused, never dropped. */
class ReservedNamesTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                CREATE TABLE parent (id int PRIMARY KEY, "limit" int);
                CREATE TABLE item (id int PRIMARY KEY, parent int REFERENCES parent, apikey text, "select" text,
                    "columns" text, on_conflict text, "order" text, "limit" text, "offset" text, "and" text, "or" text,
                    "having" text, "distinct" text, eq text);
                CREATE TABLE plain (id int PRIMARY KEY, v text);
                CREATE FUNCTION by_key(apikey text DEFAULT 'none') RETURNS text LANGUAGE sql STABLE AS 'SELECT $1';
                CREATE FUNCTION page("limit" int DEFAULT 7) RETURNS int LANGUAGE sql STABLE AS 'SELECT $1';
                CREATE FUNCTION items() RETURNS SETOF item LANGUAGE sql STABLE AS 'SELECT * FROM item ORDER BY id';
                """);
    }

    @BeforeEach
    void fill() {
        fixture.asOwner("""
                TRUNCATE parent, item, plain;
                INSERT INTO parent VALUES (1, 1), (2, 2);
                INSERT INTO item SELECT n, n, v, v, v, v, v, v, v, v, v, v, v, v
                    FROM (VALUES (1, 'desc'), (2, 'k2')) AS t(n, v);
                INSERT INTO plain VALUES (1, 'a'), (2, 'b');
                """);
    }

    private static RestCall ask(String request) {
        return fixture.ask(request);
    }

    private static void assertUnchanged() {
        assertThat(fixture.stored("(SELECT count(*) FROM $item) + (SELECT count(*) FROM $plain WHERE v IN ('a', 'b'))"))
                .isEqualTo("4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apikey",
                "select",
                "columns",
                "on_conflict",
                "order",
                "limit",
                "offset",
                "and",
                "or",
                "having",
                "distinct"
            })
    void anOperationOnAReservedNameIsAFilter(String name) {
        ask("GET /item?" + name + "=eq.k2" + (name.equals("select") ? "" : "&select=id"))
                .status(200)
                .contains("\"id\":2")
                .hasNoText("\"id\":1");
        ask("GET /rpc/items?" + name + "=not.in.(desc)")
                .status(200)
                .contains("\"id\":2")
                .hasNoText("\"id\":1");
        ask("PATCH /item?" + name + "=eq.k2").body("{\"id\":9}").status(204);
        assertThat(fixture.stored("string_agg(id::text, ',' ORDER BY id) FROM $item"))
                .isEqualTo("1,9");
        ask("DELETE /item?" + name + "=eq.k2").status(204);
        assertThat(fixture.stored("string_agg(id::text, ',' ORDER BY id) FROM $item"))
                .isEqualTo("1");
        ask("DELETE /plain?" + name + "=eq.k2").fails(400, "42703");
        assertThat(fixture.stored("count(*) FROM $plain")).isEqualTo("2");
    }

    @Test
    void aFilterOfAnEmbeddedResourceMayHaveAReservedName() {
        ask("GET /item?select=id,parent(id)&parent.limit=eq.2&order=id").answers("""
                [{"id":1,"parent":null},{"id":2,"parent":{"id": 2}}]""");
        ask("GET /item?select=id,parent!inner(id)&parent.limit=eq.2").answers("[{\"id\":2,\"parent\":{\"id\": 2}}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "apikey=k2 | 'item' has a column of that name",
                "apikey= | 'item' has a column of that name",
                "apikey=svc_anon_x&id=eq.1 | 'item' has a column of that name",
                "order=eq.desc | 'item' has a column of that name",
                "select=eq.count() | 'item' has a column of that name",
                "order=eq.desc&id=eq.1 | 'item' has a column of that name",
            })
    void aValueThatFitsTheReservedNameAndTheColumnIsRefused(String query, String why) {
        for (String method : new String[] {"GET", "PATCH", "DELETE"}) {
            ask(method + " /item?" + query)
                    .body(method.equals("PATCH") ? "{\"eq\":\"x\"}" : null)
                    .fails(400, "PGRST100")
                    .contains("is ambiguous: " + why);
        }
        assertThat(fixture.stored("count(*) FROM $item WHERE eq <> 'x'")).isEqualTo("2");
    }

    @Test
    void aBareKeyIsACredentialWhereNoColumnHasThatName() {
        ask("GET /plain?apikey=svc_anon_x&id=eq.2&select=id")
                .answers("[{\"id\":2}]")
                .has("Content-Location", "/plain?id=eq.2&select=id");
        ask("GET /item?apikey=eq.k2&select=id").has("Content-Location", "/item?apikey=eq.k2&select=id");
        ask("DELETE /plain?apikey=svc_anon_x&id=eq.2").status(204);
        assertThat(fixture.stored("string_agg(id::text, ',') FROM $plain")).isEqualTo("1");
    }

    @Test
    void anArgumentWithAReservedNameIsSentByPost() {
        ask("GET /rpc/by_key?apikey=abc")
                .fails(400, "PGRST100")
                .contains("the function 'by_key' has an argument of that name")
                .contains("Call the function by POST");
        ask("GET /rpc/page?limit=3").fails(400, "PGRST100").contains("'page' has an argument");
        ask("POST /rpc/by_key").body("{\"apikey\":\"abc\"}").answers("\"abc\"");
        ask("POST /rpc/page?limit=3").body("{\"limit\":3}").answers("3");
        ask("GET /rpc/page").answers("7");
        ask("GET /rpc/items?limit=1&apikey=svc_anon_x&select=id").answers("[{\"id\":1}]");
    }

    /** A part of a filter that is not understood must not widen the write. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "id",
                "id%3Deq.1",
                "id=eq.1&v",
                "id=eq.1&select=id&select=v",
                "limit=all",
                "limit=",
                "offset=x&id=eq.1",
                "limit=1&limit=2",
                "order=id&order=v",
                "distinct=id&distinct=v",
                "on_conflict=id",
                "id=",
                "=eq.1",
                "id=1",
                "v.eq=1",
                "other.id=eq.1",
                "id=eq.1&or=id.eq.2",
            })
    void aWriteWithAParameterThatIsNotReadChangesNothing(String query) {
        ask("DELETE /plain?" + query).status(400).contains("\"code\":\"PGRST1");
        ask("PATCH /plain?" + query).body("{\"v\":\"x\"}").status(400).contains("\"code\":\"PGRST1");
        assertUnchanged();
    }

    @Test
    void aWriteSaysWhichParameterItDoesNotUse() {
        ask("DELETE /plain?id%3Deq.1")
                .fails(400, "PGRST100")
                .contains("The query parameter 'id=eq.1' of this write is not used: it has no value");
        ask("DELETE /plain?columns=id&id=eq.1").fails(400, "PGRST100").contains("this method does not use it");
        ask("PUT /plain?id=eq.1&on_conflict=id").body("{\"id\":1}").fails(400, "PGRST100");
        ask("POST /plain?columns=id&columns=id,v")
                .body("{\"id\":3}")
                .fails(400, "PGRST100")
                .contains("given twice");
        assertUnchanged();
    }

    @Test
    void anItemOfABatchIsReadAlike() {
        ask("POST /")
                .body("[{\"method\":\"DELETE\",\"path\":\"/item?apikey=eq.k2\"}]")
                .status(200);
        assertThat(fixture.stored("string_agg(id::text, ',') FROM $item")).isEqualTo("1");
        ask("POST /")
                .body("[{\"method\":\"DELETE\",\"path\":\"/item?apikey=desc\"}]")
                .status(400);
        assertThat(fixture.stored("count(*) FROM $item")).isEqualTo("1");
    }
}
