package svc.rest.media;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.project.service.TransactionEnd;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** The media type of a response and its format. */
class MediaTypesTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                        CREATE TABLE item (id int PRIMARY KEY, name text);
                        INSERT INTO item VALUES (1, 'one'), (2, NULL);
                        CREATE TABLE lines (id int, line text);
                        INSERT INTO lines VALUES (1, 'a'), (2, 'b');
                        CREATE DOMAIN "text/vnd.lines" AS text;
                        CREATE FUNCTION lines_step(state text, r lines) RETURNS text LANGUAGE sql IMMUTABLE
                            AS $$SELECT state || r.line || E'\\n'$$;
                        CREATE FUNCTION lines_end(state text) RETURNS "text/vnd.lines" LANGUAGE sql IMMUTABLE
                            AS $$SELECT state::"text/vnd.lines"$$;
                        CREATE AGGREGATE lines_agg(lines) (SFUNC = lines_step, STYPE = text, FINALFUNC = lines_end,
                            INITCOND = '');
                        CREATE DOMAIN "application/vnd.count" AS bytea;
                        CREATE FUNCTION count_step(state bigint, r anyelement) RETURNS bigint LANGUAGE sql IMMUTABLE
                            AS 'SELECT state + 1';
                        CREATE FUNCTION count_end(state bigint) RETURNS "application/vnd.count" LANGUAGE sql IMMUTABLE
                            AS $$SELECT decode(lpad(to_hex(state), 2, '0'), 'hex')::"application/vnd.count"$$;
                        CREATE AGGREGATE count_agg(anyelement) (SFUNC = count_step, STYPE = bigint, FINALFUNC = count_end,
                            INITCOND = '0');
                        CREATE DOMAIN "text/html" AS text;
                        CREATE DOMAIN "*/*" AS bytea;
                        CREATE FUNCTION page() RETURNS "text/html" LANGUAGE sql STABLE AS $$SELECT '<p>ü</p>'::"text/html"$$;
                        CREATE FUNCTION whatever() RETURNS "*/*" LANGUAGE plpgsql STABLE AS $$ BEGIN
                            PERFORM set_config('response.headers', '[{"Content-Type": "image/x-test"}]', true);
                            RETURN 'abc'::bytea; END $$;
                        CREATE FUNCTION pages() RETURNS SETOF "text/html" LANGUAGE sql STABLE
                            AS $$SELECT '<p>1</p>'::"text/html" UNION ALL SELECT '<p>2</p>'$$;
                        CREATE FUNCTION whatevers() RETURNS SETOF "*/*" LANGUAGE sql STABLE
                            AS $$SELECT 'a'::bytea::"*/*" UNION ALL SELECT 'b'$$;
                        CREATE FUNCTION bytes() RETURNS bytea LANGUAGE sql STABLE AS $$SELECT 'raw'::bytea$$;
                        CREATE FUNCTION say() RETURNS text LANGUAGE sql STABLE AS $$SELECT 'hi "x"'$$;
                        CREATE FUNCTION say_xml() RETURNS xml LANGUAGE sql STABLE AS $$SELECT '<a>1</a>'::xml$$;
                        """).also(true, null, TransactionEnd.COMMIT);
    }

    private static RestCall get(String path, String accept) {
        return fixture.ask("GET " + path).header("Accept", accept);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/* | application/json; charset=utf-8",
                "application/json | application/json; charset=utf-8",
                "APPLICATION/JSON | application/json; charset=utf-8",
                "application/vnd.pgrst.array+json | application/json; charset=utf-8",
                "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8 | application/json; charset=utf-8",
                "application/json;q=0.5, text/csv;q=0.9 | text/csv; charset=utf-8",
                "text/csv;q=0, */*;q=0.1 | application/json; charset=utf-8",
                "*/*, text/csv | text/csv; charset=utf-8",
                "application/vnd.pgrst.array+json;nulls=stripped"
                        + " | application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8"
            })
    void theMostWantedTypeThatThereIs(String accept, String expected) {
        get("/item", accept).status(200).has("Content-Type", expected);
    }

    @Test
    void aTypeThatCannotBeHad() {
        get("/item", "image/png").fails(406, "PGRST107").contains("None of these media types are available: image/png");
        get("/item", "text/plain").fails(406, "PGRST107");
        get("/item", "application/vnd.pgrst.plan+json").fails(406, "PGRST107");
        get("/item", "application/geo+json").fails(406, "PGRST107");
        get("/rpc/say", "application/octet-stream").fails(406, "PGRST107");
    }

    @Test
    void nullsAreStrippedWhereThatIsAsked() {
        get("/item?order=id", "application/vnd.pgrst.array+json;nulls=stripped")
                .answers("[{\"id\":1,\"name\":\"one\"},{\"id\":2}]");
        get("/item?id=eq.2", "application/vnd.pgrst.object+json;nulls=stripped")
                .has("Content-Type", "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8")
                .answers("{\"id\":2}");
        get("/item", "application/vnd.pgrst.object+json")
                .fails(406, "PGRST116")
                .contains("The result contains 2 rows")
                .has("Proxy-Status", "PostgREST; error=PGRST116");
    }

    @Test
    void aScalarCanBeHadAsItIs() {
        get("/rpc/say", "text/plain")
                .has("Content-Type", "text/plain; charset=utf-8")
                .answers("hi \"x\"");
        get("/rpc/say_xml", "text/xml")
                .has("Content-Type", "text/xml; charset=utf-8")
                .answers("<a>1</a>");
        get("/rpc/bytes", "application/octet-stream")
                .has("Content-Type", "application/octet-stream")
                .has("Content-Length", "3")
                .answers("raw");
        get("/rpc/say", "text/csv").answersExactly("pgrst_scalar\n\"hi \"\"x\"\"\"");
    }

    @Test
    void aDomainNamedLikeAMediaTypeIsOne() {
        get("/rpc/page", "text/html").has("Content-Type", "text/html").answers("<p>ü</p>");
        get("/rpc/page", "*/*")
                .has("Content-Type", "application/json; charset=utf-8")
                .answers("\"<p>ü</p>\"");
        get("/rpc/whatever", "image/x-any")
                .hasAll("Content-Type", "image/x-test")
                .answers("abc");
    }

    /** A set is not a value of that media type: its rows would be joined to one text. */
    @Test
    void aSetOfSuchADomainIsJsonOnly() {
        get("/rpc/pages", "text/html").fails(406, "PGRST107");
        get("/rpc/whatevers", "image/x-any").fails(406, "PGRST107");
        get("/rpc/pages", "*/*")
                .has("Content-Type", "application/json; charset=utf-8")
                .answers("[\"<p>1</p>\", \"<p>2</p>\"]");
        get("/rpc/whatevers", "*/*")
                .has("Content-Type", "application/json; charset=utf-8")
                .answers("[\"\\\\x61\", \"\\\\x62\"]");
    }

    @Test
    void anAggregateRendersRows() {
        get("/lines?order=id", "text/vnd.lines")
                .has("Content-Type", "text/vnd.lines")
                .answers("a\nb\n");
        get("/lines?order=id&id=eq.2", "text/vnd.lines").answers("b\n");
        get("/lines?select=id", "text/vnd.lines").fails(406, "PGRST107");
        get("/item", "text/vnd.lines").fails(406, "PGRST107");
        get("/item?select=id", "application/vnd.count").answers("\u0002");
    }

    @Test
    void aPlanIsShownWhereTheProjectAllowsIt() {
        fixture.askOther("GET /item?id=eq.1")
                .header("Accept", "application/vnd.pgrst.plan+json")
                .status(200)
                .has("Content-Type", "application/vnd.pgrst.plan+json; for=\"application/json\"; charset=utf-8")
                .contains("\"Plan\": {");
        fixture.askOther("GET /item?id=eq.1")
                .header(
                        "Accept",
                        "application/vnd.pgrst.plan+text; for=\"application/vnd.pgrst.object+json\"; options=analyze|verbose")
                .has(
                        "Content-Type",
                        "application/vnd.pgrst.plan+text; for=\"application/vnd.pgrst.object+json\";"
                                + " options=analyze|verbose; charset=utf-8")
                .contains("actual time")
                .contains("Output:");
        fixture.askOther("POST /item")
                .header("Accept", "application/vnd.pgrst.plan")
                .prefer("return=representation")
                .body("{\"id\":9}")
                .status(200)
                .contains("Insert on item");
        assertThat(fixture.stored("count(*) FROM $item WHERE id = 9")).isEqualTo("0");
        fixture.askOther("POST /rpc/say")
                .header("Accept", "application/vnd.pgrst.plan")
                .body("{}")
                .contains("Aggregate");
    }

    @Test
    void aReadSaysWhereItsAnswerIs() {
        fixture.ask("GET /item?select=id&id=eq.1").has("Content-Location", "/item?id=eq.1&select=id");
        fixture.ask("GET /item").has("Content-Location", "/item");
        fixture.ask("GET /item?name=eq.%C3%BC%26x").has("Content-Location", "/item?name=eq.%C3%BC%26x");
    }
}
