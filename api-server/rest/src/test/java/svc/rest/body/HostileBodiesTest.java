package svc.rest.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** Bodies that are small as texts and large as anything else are answered, and a neighbour is served beside them. */
class HostileBodiesTest {
    private static final int KEYS = 20_000;

    private static WritingFixture fixture;
    private static WritingFixture neighbour;

    @BeforeAll
    static void serve() {
        String sql = """
                CREATE TABLE item (id int PRIMARY KEY, name text);
                INSERT INTO item VALUES (1, 'one');
                CREATE FUNCTION whole(json) RETURNS int LANGUAGE sql AS
                    $$ SELECT CASE json_typeof($1) WHEN 'array' THEN json_array_length($1)
                        ELSE (SELECT count(*)::int FROM json_object_keys($1)) END $$;
                CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql AS 'SELECT a + b';
                """;
        fixture = WritingFixture.serve(sql);
        neighbour = WritingFixture.serve(sql);
    }

    private static String times(int count, IntFunction<String> part) {
        return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(","));
    }

    private static RestCall post(String path, String body) {
        return fixture.ask("POST " + path).body(body);
    }

    private static RestCall csv(String body) {
        return post("/item", body).header("Content-Type", "text/csv");
    }

    private static void neighbourIsServed() {
        neighbour.ask("GET /item?select=name&id=eq.1").answers("[{\"name\":\"one\"}]");
    }

    @Test
    void millionsOfNumbersAreNoTree() {
        String numbers = "[" + times(4_000_000, i -> "1") + "]";
        post("/item", numbers).fails(400, "PGRST102").contains("All object keys must match");
        post("/rpc/add", numbers).fails(400, "PGRST102");
        post("/", numbers).fails(400, "PGRST102");
        post("/rpc/whole", numbers).status(200).answers("4000000");
        neighbourIsServed();
    }

    @Test
    void anObjectOfManyKeysIsNoRowAndNoArguments() {
        String object = "{" + times(KEYS, i -> "\"key" + i + "\":1") + "}";
        post("/item", object).fails(400, "PGRST102").contains("exceed the limit of 1600 keys");
        post("/rpc/add", object).fails(404, "PGRST202").isShorterThan(10_000);
        post("/rpc/whole", object).status(200).answers(Integer.toString(KEYS));
        post("/item?columns=id,name", "{\"id\":7," + object.substring(1)).status(201);
        neighbourIsServed();
    }

    @Test
    void everNewKeysAreRefused() {
        String objects = "[" + times(300_000, i -> "{\"key" + i + "\":1}") + "]";
        post("/item", objects).fails(400, "PGRST102").contains("All object keys must match");
        post("/rpc/add", objects).fails(400, "PGRST102");
        fixture.ask("POST /item?columns=id,name")
                .prefer("missing=default")
                .body("[" + times(200, i -> "{\"id\":" + (100 + i) + ",\"key" + i + "\":1}") + "]")
                .status(201);
        neighbourIsServed();
    }

    @Test
    void aMillionRowsAreOneText() {
        String rows = "[" + times(1_000_000, i -> "{\"id\":1}") + "]";
        post("/item", rows).fails(409, "23505");
        fixture.ask("POST /item?columns=id")
                .prefer("missing=default")
                .body(rows)
                .fails(409, "23505");
        neighbourIsServed();
    }

    /** Each row of JSON repeats the header: without a limit these 2 MB would become a gigabyte. */
    @Test
    void csvDoesNotGrowWithoutEnd() {
        String header = times(1_000, i -> "a_rather_long_name_of_a_column_" + i);
        csv(header + ("\n" + ",".repeat(999)).repeat(2_000))
                .fails(400, "PGRST102")
                .contains("exceed the limit of 33554432 characters as JSON");
        csv(",".repeat(1_600) + "\n1").fails(400, "PGRST102").contains("exceed the limit of 1600 fields");
        csv("\n".repeat(1_000_000)).fails(400, "PGRST102");
        csv("id\n" + "500\n".repeat(300_000)).fails(409, "23505");
        neighbourIsServed();
    }

    @Test
    void aFormHasAsManyFieldsAsATable() {
        String form = "application/x-www-form-urlencoded";
        post("/item", "id=1&".repeat(500_000)).header("Content-Type", form).fails(400, "PGRST102");
        post("/rpc/add", "a=1&".repeat(500_000)).header("Content-Type", form).fails(400, "PGRST102");
        post("/item", "id=8&name=x").header("Content-Type", form).status(201);
        assertThat(fixture.stored("name FROM $item WHERE id = 8")).isEqualTo("x");
    }
}
