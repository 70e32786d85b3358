package svc.rest.csv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** CSV in both directions, byte for byte as PostgREST writes it. */
class CsvTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                CREATE TABLE item (id int PRIMARY KEY, name text, tags text[], extra jsonb, done boolean DEFAULT true);
                CREATE FUNCTION items() RETURNS SETOF item LANGUAGE sql STABLE AS 'SELECT * FROM item ORDER BY id';
                """);
    }

    @BeforeEach
    void fill() {
        fixture.asOwner("""
                TRUNCATE item;
                INSERT INTO item VALUES (1, 'plain', '{a,b}', '{"k": 1}', true), (2, 'a "b", c', NULL, NULL, false);
                """);
    }

    private static RestCall ask(String request) {
        return fixture.ask(request).header("Accept", "text/csv");
    }

    @Test
    void rowsAreLines() {
        ask("GET /item?order=id")
                .status(200)
                .has("Content-Type", "text/csv; charset=utf-8")
                .has("Content-Range", "0-1/*")
                .answersExactly(
                        "id,name,tags,extra,done\n1,plain,\"{a,b}\",\"{\"\"k\"\": 1}\",t\n2,\"a \"\"b\"\", c\",,,f");
        ask("GET /item?select=n:name,id&id=eq.1").answersExactly("n,id\nplain,1");
        ask("GET /item?id=eq.9").status(200).answersExactly("\n");
        ask("GET /rpc/items?select=id&id=gt.1").answersExactly("id\n2");
        ask("POST /item?select=id,done")
                .prefer("return=representation")
                .body("{\"id\":5}")
                .status(201)
                .answersExactly("id,done\n5,t");
        ask("GET /item?select=id")
                .prefer("count=exact")
                .header("Range", "0-0")
                .status(206)
                .has("Content-Range", "0-0/3");
    }

    @Test
    void aLineThatIsSentBackIsTheSameRow() {
        fixture.asOwner("""
                CREATE TABLE copied (id int PRIMARY KEY, t text, b bytea, j jsonb, js json, a text[],
                    at timestamptz, "odd, ""name\""" text);
                INSERT INTO copied VALUES
                    (1, 'C:\\dir\\file', '\\x5c0a41', '{"k": "a\\\\b"}', '[1, "x,y"]', '{"a\\\\b","c,d",NULL}', now(), '\\'),
                    (2, '', '', '"text"', 'null', '{}', NULL, NULL),
                    (3, NULL, NULL, NULL, NULL, NULL, NULL, ''),
                    (4, 'NULL', '\\x00', '[]', '{}', '{NULL,"NULL"}', NULL, 'a,NULL,b'),
                    (5, E'two\nlines,\r\n"q"', '\\x22', '1', '2', '{""}', NULL, '\\\\"'),
                    (6, ' NULL', NULL, 'null', NULL, '{" "}', NULL, ' ');
                """);
        String csv =
                fixture.ask("GET /copied?order=id").header("Accept", "text/csv").text();
        fixture.asOwner("CREATE TABLE kept AS TABLE copied; TRUNCATE copied");
        fixture.ask("POST /copied").header("Content-Type", "text/csv").body(csv).status(201);
        assertThat(fixture.stored("count(*) FROM (SELECT k::text FROM $kept k EXCEPT SELECT c::text FROM $copied c) d"))
                .isEqualTo("0");
        assertThat(fixture.stored("count(*) FROM $copied")).isEqualTo("6");
    }

    @Test
    void fieldsFollowRfc4180() {
        fixture.asOwner("INSERT INTO item (id, name) VALUES (9, 'C:\\dir\\file'), (10, 'NULL'), (11, '')");
        ask("GET /item?select=id,name&id=gte.9&order=id")
                .answersExactly("id,name\n9,\"C:\\dir\\file\"\n10,\"NULL\"\n11,\"\"");
        ask("GET /item?select=%22a,b%22:name,NULL:id&id=eq.2").answersExactly("\"a,b\",\"NULL\"\n\"a \"\"b\"\", c\",2");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstName() {
        fixture.ask("POST /item?columns=id,name&select=id,name")
                .header("Content-Type", "text/csv")
                .prefer("return=representation")
                .body("\uFEFFid,name\n20,Ann\n")
                .status(201)
                .answers("[{\"id\":20,\"name\":\"Ann\"}]");
        fixture.ask("POST /item")
                .header("Content-Type", "text/csv")
                .body("\uFEFF\"id\"\n21")
                .status(201);
    }

    @Test
    void anEmptyFieldIsNullAndQuotesAreTheEmptyText() {
        fixture.ask("POST /item?select=name,tags&order=id")
                .header("Content-Type", "text/csv")
                .prefer("return=representation")
                .body("id,name,tags\n30,,\n31,\"\",NULL\n\n32,\"NULL\",{}\r\n\r\n")
                .answers(
                        "[{\"name\":null,\"tags\":null},{\"name\":\"\",\"tags\":null},{\"name\":\"NULL\",\"tags\":[]}]");
        fixture.ask("POST /item?select=extra")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .prefer("return=representation")
                .body("id=33&extra=%7B%22k%22%3A%201%7D")
                .answers("[{\"extra\":{\"k\": 1}}]");
    }

    @Test
    void linesAreRows() {
        fixture.ask("POST /item?select=id,name,tags,done")
                .header("Content-Type", "text/csv")
                .prefer("return=representation")
                .body("id,name,tags,done\r\n10,\"two\nlines, \"\"q\"\"\",\"{x,y}\",NULL\r\n11,NULL,NULL,f\n")
                .status(201)
                .answers("[{\"id\":10,\"name\":\"two\\nlines, \\\"q\\\"\",\"tags\":[\"x\",\"y\"],\"done\":null},"
                        + "{\"id\":11,\"name\":null,\"tags\":null,\"done\":false}]");
        fixture.ask("PATCH /item?id=eq.10&select=name")
                .header("Content-Type", "text/csv")
                .prefer("return=representation")
                .body("name\nnew")
                .answers("[{\"name\":\"new\"}]");
        fixture.ask("POST /item")
                .header("Content-Type", "text/csv")
                .body("id,name\n1")
                .fails(400, "PGRST102")
                .contains("All lines must have same number of fields");
        fixture.ask("POST /item")
                .header("Content-Type", "text/csv")
                .body("id\n\"1")
                .fails(400, "PGRST102");
        fixture.ask("POST /item")
                .header("Content-Type", "text/csv")
                .body("id\n\"1\"x")
                .fails(400, "PGRST102");
        fixture.ask("POST /item")
                .header("Content-Type", "text/csv")
                .body("nope\n1")
                .fails(400, "PGRST204");
        fixture.ask("POST /item").header("Content-Type", "text/csv").body("").fails(400, "PGRST102");
    }
}
