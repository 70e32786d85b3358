package svc.rest.payload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.RestCall;
import svc.rest.WritingFixture;

/** Bodies of writes: forms, many rows, columns with ideas of their own, and views. */
class PayloadTest {
    private static WritingFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = WritingFixture.serve("""
                CREATE DOMAIN required AS text NOT NULL DEFAULT 'given';
                CREATE DOMAIN positive AS int CHECK (VALUE IS NOT NULL AND VALUE > 0);
                CREATE TABLE strict (id int PRIMARY KEY, must required, plus positive DEFAULT 7, free text);
                CREATE TABLE item (id int PRIMARY KEY, name text, size int);
                CREATE VIEW small AS SELECT id, name FROM item WHERE size < 10;
                CREATE VIEW names AS SELECT DISTINCT name FROM item;
                CREATE VIEW loud AS SELECT id, upper(name) AS shout FROM item;
                CREATE FUNCTION whisper() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN INSERT INTO item VALUES (NEW.id, lower(NEW.shout)); RETURN NEW; END $$;
                CREATE TRIGGER into_loud INSTEAD OF INSERT ON loud FOR EACH ROW EXECUTE FUNCTION whisper();
                CREATE TABLE numbered (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int,
                    twice int GENERATED ALWAYS AS (n * 2) STORED);
                """);
    }

    private static RestCall ask(String request) {
        return fixture.ask(request);
    }

    @Test
    void aFormIsARow() {
        ask("POST /item?select=id,name")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .prefer("return=representation")
                .body("id=1&name=a+b%26c")
                .status(201)
                .answers("[{\"id\":1,\"name\":\"a b&c\"}]");
        ask("PATCH /item?id=eq.1&select=name")
                .header("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
                .prefer("return=representation")
                .body("name=z")
                .answers("[{\"name\":\"z\"}]");
    }

    @Test
    void aDomainThatRefusesNullIsNoHindranceWhereItIsNotSent() {
        ask("POST /strict?select=id,must,plus")
                .prefer("return=representation")
                .body("[{\"id\":1},{\"id\":2}]")
                .status(201)
                .answers("[{\"id\":1,\"must\":\"given\",\"plus\":7},{\"id\":2,\"must\":\"given\",\"plus\":7}]");
        ask("PATCH /strict?id=eq.1").body("{\"free\":\"x\"}").status(204);
        ask("PUT /strict?id=eq.3").body("{\"id\":3,\"must\":\"m\"}").status(204);
        ask("POST /strict").body("{\"id\":4,\"must\":null}").fails(400, "23502");
        ask("POST /strict").body("{\"id\":4,\"plus\":-1}").fails(400, "23514");
        assertThat(fixture.stored("string_agg(id || must || coalesce(free, ''), ',' ORDER BY id) FROM $strict"))
                .isEqualTo("1givenx,2given,3m");
    }

    @Test
    void manyRowsAreOneBind() {
        String rows = IntStream.range(1000, 6000)
                .mapToObj(i -> "{\"id\":" + i + ",\"name\":\"n" + i + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
        ask("POST /item").prefer("count=exact").body(rows).status(201).has("Content-Range", "*/5000");
        assertThat(fixture.stored("count(*) FROM $item WHERE id >= 1000")).isEqualTo("5000");
    }

    @Test
    void viewsTakeRowsWhereTheyCan() {
        ask("POST /small?select=id")
                .prefer("return=representation")
                .body("{\"id\":20,\"name\":\"v\"}")
                .status(201)
                .answers("[{\"id\":20}]");
        ask("POST /loud?select=shout")
                .prefer("return=representation")
                .body("{\"id\":21,\"shout\":\"LOUD\"}")
                .status(201)
                .answers("[{\"shout\":\"LOUD\"}]");
        assertThat(fixture.stored("name FROM $item WHERE id = 21")).isEqualTo("loud");
        ask("PATCH /loud?id=eq.21").body("{\"shout\":\"X\"}").fails(400, "0A000");
    }

    @Test
    void whatTheServerComputesCannotBeGiven() {
        ask("POST /numbered?select=id,twice")
                .prefer("return=representation")
                .body("{\"n\":4}")
                .answers("[{\"id\":1,\"twice\":8}]");
        ask("POST /numbered").body("{\"id\":9,\"n\":4}").fails(400, "428C9");
        ask("POST /numbered").body("{\"n\":4,\"twice\":1}").fails(400, "428C9");
    }

    @Test
    void theMethodsOfARelationAreListed() {
        ask("OPTIONS /item").has("Allow", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE");
        ask("OPTIONS /names").has("Allow", "OPTIONS,GET,HEAD");
        ask("OPTIONS /nope").fails(404, "PGRST205");
    }
}
