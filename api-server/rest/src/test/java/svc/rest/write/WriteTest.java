package svc.rest.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.rest.RestCall;
import svc.rest.testing.SharedDataPlane;

/** POST, PATCH and DELETE with their preferences. */
class WriteTest {
    private static final String ONE = "application/vnd.pgrst.object+json";

    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        tenant = SharedDataPlane.project("""
                CREATE TABLE item (id int PRIMARY KEY, name text NOT NULL DEFAULT 'unnamed', size numeric(6,2) DEFAULT 1,
                    tags text[], extra jsonb, twice numeric GENERATED ALWAYS AS (size * 2) STORED);
                CREATE TABLE log (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text);
                CREATE TABLE pair (a int, b text, c text, PRIMARY KEY (a, b), UNIQUE (c));
                CREATE TABLE keyless (x int);
                CREATE VIEW shown AS SELECT id, name FROM item;
                """);
    }

    @BeforeEach
    void fill() {
        SharedDataPlane.PROJECTS.asOwner(tenant, """
                TRUNCATE item, log, pair, keyless RESTART IDENTITY;
                INSERT INTO item (id, name) VALUES (1, 'one'), (2, 'two'), (3, 'three');
                INSERT INTO pair VALUES (1, 'x', 'cx');
                """);
    }

    private static RestCall ask(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, tenant, request);
    }

    private static String stored(String expression) {
        return SharedDataPlane.PROJECTS.ask(
                "SELECT " + expression.replace("$", tenant.names().schemaName() + "."));
    }

    @Test
    void anInsertAnswersWhatWasPreferred() {
        ask("POST /item")
                .body("{\"id\":10,\"name\":\"ten\"}")
                .status(201)
                .answers("")
                .has("Content-Range", "*/*");
        ask("POST /item?select=id,name,size")
                .prefer("return=representation")
                .body("{\"id\":11,\"name\":\"it's\",\"size\":\"2.005\"}")
                .status(201)
                .has("Preference-Applied", "return=representation")
                .answers("[{\"id\":11,\"name\":\"it's\",\"size\":2.01}]");
        ask("POST /log")
                .prefer("return=headers-only")
                .body("{\"text\":\"x\"}")
                .status(201)
                .has("Location", "/log?id=eq.1");
        ask("POST /pair")
                .prefer("return=headers-only")
                .body("{\"a\":5,\"b\":\"y & z\"}")
                .has("Location", "/pair?a=eq.5&b=eq.y%20%26%20z");
        ask("POST /item?select=id")
                .header("Accept", ONE)
                .prefer("return=representation")
                .body("{\"id\":12}")
                .status(201)
                .answers("{\"id\":12}");
        assertThat(stored("count(*) FROM $item")).isEqualTo("6");
    }

    @Test
    void manyRowsAreOneStatement() {
        ask("POST /item?columns=%22id%22,%22name%22&select=id,name")
                .prefer("return=representation")
                .prefer("count=exact, return=representation")
                .body("[{\"id\":20,\"name\":\"a\"},{\"id\":21,\"name\":\"b\",\"ignored\":true}]")
                .status(201)
                .has("Content-Range", "*/2")
                .answers("[{\"id\":20,\"name\":\"a\"},{\"id\":21,\"name\":\"b\"}]");
        ask("POST /item")
                .body("[{\"id\":22,\"name\":\"a\"},{\"id\":1,\"name\":\"b\"}]")
                .fails(409, "23505");
        assertThat(stored("count(*) FROM $item WHERE id = 22")).isEqualTo("0");
        ask("POST /item").body("[]").status(201);
        ask("POST /item").prefer("return=representation").body("[]").status(201).answers("[]");
        ask("POST /log").prefer("return=representation").body("{}").status(201).answers("[{\"id\":1,\"text\":null}]");
    }

    @Test
    void anAbsentKeyIsNullOrTheDefault() {
        ask("POST /item?columns=id,size&select=size")
                .prefer("return=representation")
                .body("[{\"id\":30}]")
                .answers("[{\"size\":null}]");
        ask("POST /item?columns=id,name,size&select=id,name,size&order=id")
                .prefer("return=representation,missing=default")
                .body("[{\"id\":31},{\"id\":32,\"size\":5},{\"id\":33,\"name\":\"n\"}]")
                .status(201)
                .answers(
                        "[{\"id\":31,\"name\":\"unnamed\",\"size\":1.00},{\"id\":32,\"name\":\"unnamed\",\"size\":5.00},"
                                + "{\"id\":33,\"name\":\"n\",\"size\":1.00}]");
        ask("POST /shown?columns=id,name&select=id,name")
                .prefer("return=representation,missing=default")
                .body("[{\"id\":35}]")
                .answers("[{\"id\":35,\"name\":\"unnamed\"}]");
        ask("POST /item")
                .body("[{\"id\":34},{\"name\":\"x\"}]")
                .fails(400, "PGRST102")
                .contains("All object keys must match");
    }

    @Test
    void aMissingKeyOfADuplicateTakesTheDefault() {
        SharedDataPlane.PROJECTS.asOwner(tenant, "UPDATE item SET size = 5, tags = '{kept}' WHERE id < 3");
        ask("POST /item?columns=id,name,size&select=id,name,size,tags&order=id")
                .prefer("return=representation,missing=default,resolution=merge-duplicates")
                .body("[{\"id\":1},{\"id\":2,\"name\":\"n\"},{\"id\":40}]")
                .status(201)
                .answers("[{\"id\":1,\"name\":\"unnamed\",\"size\":1.00,\"tags\":[\"kept\"]},"
                        + "{\"id\":2,\"name\":\"n\",\"size\":1.00,\"tags\":[\"kept\"]},"
                        + "{\"id\":40,\"name\":\"unnamed\",\"size\":1.00,\"tags\":null}]");
        ask("POST /item?columns=id,name&select=name")
                .prefer("return=representation,missing=default,resolution=merge-duplicates")
                .body("[{\"id\":2}]")
                .status(200)
                .answers("[{\"name\":\"unnamed\"}]");
        ask("POST /item?columns=id,size&select=name,size")
                .prefer("return=representation,resolution=merge-duplicates")
                .body("[{\"id\":3}]")
                .answers("[{\"name\":\"three\",\"size\":null}]");
    }

    @Test
    void nothingToMergeIsNothingCreated() {
        ask("POST /item").prefer("resolution=merge-duplicates").body("[]").status(200);
        ask("POST /item")
                .prefer("resolution=merge-duplicates,return=representation")
                .body("[]")
                .status(200)
                .answers("[]");
        ask("POST /item").prefer("resolution=ignore-duplicates").body("[]").status(201);
    }

    @Test
    void theAddressOfARowWithoutAKeyTestsForNull() {
        SharedDataPlane.PROJECTS.asOwner(tenant, """
                CREATE FUNCTION into_item() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    INSERT INTO item (id, name) VALUES (90, NEW.name); RETURN NEW; END $$;
                CREATE TRIGGER into_item INSTEAD OF INSERT ON shown FOR EACH ROW EXECUTE FUNCTION into_item();
                """);
        ask("POST /shown")
                .prefer("return=headers-only")
                .body("{\"name\":\"n\"}")
                .status(201)
                .has("Location", "/shown?id=is.null");
        SharedDataPlane.PROJECTS.asOwner(tenant, "DROP FUNCTION into_item() CASCADE");
    }

    @Test
    void missingKeysOfAChangeTakeTheDefaultToo() {
        ask("PATCH /item?id=eq.1&columns=name,size,tags&select=name,size,tags")
                .prefer("return=representation,missing=default")
                .body("{\"size\":7}")
                .status(200)
                .has("Preference-Applied", "missing=default, return=representation")
                .answers("[{\"name\":\"unnamed\",\"size\":7.00,\"tags\":null}]");
        ask("PATCH /item?id=eq.2&columns=name&select=name")
                .prefer("return=representation,missing=default")
                .body("{}")
                .answers("[{\"name\":\"unnamed\"}]");
        ask("PATCH /item?id=eq.3&columns=name").body("{\"size\":7}").fails(400, "23502");
    }

    @Test
    void valuesArriveAsTheColumnsType() {
        ask("POST /item?select=tags,extra,size")
                .prefer("return=representation")
                .body("{\"id\":40,\"tags\":[\"a\",\"b,\\\"c\"],\"extra\":{\"deep\":[1.10,\"ü\"]},\"size\":12.3}")
                .answers("[{\"tags\":[\"a\",\"b,\\\"c\"],\"extra\":{\"deep\": [1.10, \"ü\"]},\"size\":12.30}]");
        ask("POST /item").body("{\"id\":41,\"tags\":\"{x,y}\"}").status(201);
        assertThat(stored("tags[2] FROM $item WHERE id = 41")).isEqualTo("y");
        ask("POST /item").body("{\"id\":\"abc\"}").fails(400, "22P02");
        ask("POST /item").body("{\"id\":42,\"twice\":3}").fails(400, "428C9");
    }

    @Test
    void aDuplicateIsMergedOrIgnored() {
        ask("POST /item?select=id,name")
                .prefer("resolution=merge-duplicates,return=representation")
                .body("[{\"id\":1,\"name\":\"uno\"},{\"id\":50,\"name\":\"fifty\"}]")
                .status(201)
                .has("Preference-Applied", "resolution=merge-duplicates, return=representation")
                .answers("[{\"id\":1,\"name\":\"uno\"},{\"id\":50,\"name\":\"fifty\"}]");
        ask("POST /item")
                .prefer("resolution=merge-duplicates")
                .body("{\"id\":1,\"name\":\"eins\"}")
                .status(200);
        assertThat(stored("name FROM $item WHERE id = 1")).isEqualTo("eins");
        ask("POST /item?select=id")
                .prefer("resolution=ignore-duplicates,return=representation")
                .body("[{\"id\":1,\"name\":\"no\"},{\"id\":51,\"name\":\"yes\"}]")
                .status(201)
                .answers("[{\"id\":51}]");
        assertThat(stored("name FROM $item WHERE id = 1")).isEqualTo("eins");
        ask("POST /pair?on_conflict=c")
                .prefer("resolution=merge-duplicates")
                .body("{\"a\":9,\"b\":\"z\",\"c\":\"cx\"}")
                .status(200);
        assertThat(stored("a FROM $pair WHERE c = 'cx'")).isEqualTo("9");
        ask("POST /keyless")
                .prefer("resolution=merge-duplicates")
                .body("{\"x\":1}")
                .status(201);
        ask("POST /item?on_conflict=name")
                .prefer("resolution=merge-duplicates")
                .body("{\"id\":1}")
                .fails(400, "42P10");
    }

    @Test
    void anUpdateChangesWhatTheFilterSays() {
        ask("PATCH /item?id=eq.1")
                .body("{\"name\":\"changed\"}")
                .status(204)
                .answers("")
                .has("Content-Range", "0-0/*");
        ask("PATCH /item?id=gte.2&select=id,name&order=id.desc")
                .prefer("return=representation,count=exact")
                .body("{\"name\":\"both\"}")
                .status(200)
                .has("Content-Range", "0-1/2")
                .answers("[{\"id\":3,\"name\":\"both\"},{\"id\":2,\"name\":\"both\"}]");
        ask("PATCH /item?id=eq.99")
                .prefer("return=representation")
                .body("{\"name\":\"x\"}")
                .status(200)
                .answers("[]");
        ask("PATCH /item?id=eq.1").body("{}").status(204);
        ask("PATCH /item?id=eq.1&columns=name")
                .body("{\"name\":\"y\",\"size\":99}")
                .status(204);
        assertThat(stored("size FROM $item WHERE id = 1")).isEqualTo("1.00");
        assertThat(stored("string_agg(name, ',' ORDER BY id) FROM $item")).isEqualTo("y,both,both");
    }

    @Test
    void aDeleteTakesWhatTheFilterSays() {
        ask("DELETE /item?id=eq.1").status(204).has("Content-Range", "*/*");
        ask("DELETE /item?id=gt.1&select=id&order=id&limit=1")
                .prefer("return=representation,count=exact")
                .status(200)
                .has("Content-Range", "*/2")
                .answers("[{\"id\":2}]");
        assertThat(stored("count(*) FROM $item")).isEqualTo("0");
    }

    @Test
    void aWriteThatIsNotAsWantedIsUndone() {
        ask("PATCH /item?id=gt.1")
                .header("Accept", ONE)
                .body("{\"name\":\"x\"}")
                .fails(406, "PGRST116");
        ask("DELETE /item")
                .header("Accept", ONE)
                .prefer("return=representation")
                .fails(406, "PGRST116")
                .contains("The result contains 3 rows");
        ask("DELETE /item")
                .prefer("handling=strict, max-affected=2")
                .fails(400, "PGRST124")
                .contains("affects 3 rows");
        ask("DELETE /item?id=eq.3").prefer("handling=strict, max-affected=1").status(204);
        assertThat(stored("string_agg(name, ',' ORDER BY id) FROM $item")).isEqualTo("one,two");
    }
}
