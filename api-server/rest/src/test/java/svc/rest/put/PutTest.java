package svc.rest.put;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** PUT: one row, named by its whole key, is inserted or replaced. */
class PutTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                CREATE TABLE item (id int PRIMARY KEY, name text);
                CREATE TABLE pair (a int, b text, c text, PRIMARY KEY (a, b));
                CREATE TABLE keyless (x int);
                """);
    }

    private static RestCall ask(String request) {
        return fixture.ask(request);
    }

    @Test
    void aRowIsInsertedOrReplaced() {
        ask("PUT /item?id=eq.1")
                .prefer("return=representation")
                .body("{\"id\":1,\"name\":\"one\"}")
                .status(201)
                .has("Preference-Applied", "return=representation")
                .answers("[{\"id\":1,\"name\":\"one\"}]");
        ask("PUT /item?id=eq.1&select=name")
                .prefer("return=representation")
                .body("[{\"id\":1,\"name\":\"uno\"}]")
                .status(200)
                .answers("[{\"name\":\"uno\"}]");
        ask("PUT /item?id=eq.1")
                .body("{\"id\":1,\"name\":\"eins\"}")
                .status(204)
                .answers("");
        ask("PUT /pair?a=eq.1&b=eq.x")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .body("a=1&b=x&c=z")
                .status(204);
        assertThat(fixture.stored("(SELECT name FROM $item WHERE id = 1) || (SELECT c FROM $pair)"))
                .isEqualTo("einsz");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/item",
                "/item?id=gt.1",
                "/item?id=not.eq.1",
                "/item?id=eq.1&name=eq.x",
                "/item?name=eq.x",
                "/pair?a=eq.1",
                "/item?and=(id.eq.1,or(name.eq.x))",
                "/item?or=(id.eq.1)",
                "/keyless?x=eq.1"
            })
    void onlyTheWholeKeyNamesARow(String path) {
        ask("PUT " + path).body("{\"id\":1,\"a\":1,\"x\":1}").fails(405, "PGRST105");
    }

    @Test
    void theBodyIsTheRowThatTheKeyNames() {
        ask("PUT /item?id=eq.5").body("{\"id\":6,\"name\":\"x\"}").fails(400, "PGRST115");
        ask("PUT /item?id=eq.5").body("{\"name\":\"x\"}").fails(400, "PGRST115");
        ask("PUT /item?id=eq.5").body("[{\"id\":5},{\"id\":6}]").fails(400, "PGRST115");
        ask("PUT /item?id=eq.5").body("[]").fails(400, "PGRST115");
        ask("PUT /item?id=eq.5&limit=1").body("{\"id\":5}").fails(400, "PGRST114");
        ask("PUT /item?id=eq.5&offset=1").body("{\"id\":5}").fails(400, "PGRST114");
        ask("PUT /item?id=eq.5").body("{\"id\":5,\"nope\":1}").fails(400, "PGRST204");
        assertThat(fixture.stored("count(*) FROM $item WHERE id > 4")).isEqualTo("0");
    }
}
