package svc.catalog.routine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.catalog.MediaHandler;
import svc.catalog.Routine;
import svc.catalog.TestingSchema;

/** What is known of functions. */
class RoutinesTest {
    private static TestingSchema schema;

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("routines", """
                CREATE TABLE items (id int PRIMARY KEY, price numeric);
                CREATE DOMAIN shelf AS items;
                CREATE DOMAIN "application/vnd.twkb" AS bytea;
                CREATE DOMAIN "Text/HTML" AS text;
                CREATE FUNCTION nothing() RETURNS void LANGUAGE sql AS '';
                CREATE FUNCTION answer() RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 42';
                CREATE FUNCTION answers() RETURNS SETOF int STABLE LANGUAGE sql AS 'SELECT 1';
                CREATE FUNCTION best() RETURNS items STABLE LANGUAGE sql AS 'SELECT * FROM items LIMIT 1';
                CREATE FUNCTION shelved() RETURNS shelf STABLE LANGUAGE sql AS 'SELECT i::shelf FROM items i LIMIT 1';
                CREATE FUNCTION all_items() RETURNS SETOF items STABLE LANGUAGE sql AS 'SELECT * FROM items';
                CREATE FUNCTION made() RETURNS TABLE (a int, b text) LANGUAGE sql AS 'SELECT 1, ''x''::text';
                CREATE FUNCTION given(x int, INOUT y int, OUT z text) LANGUAGE sql AS 'SELECT 1, ''x''::text';
                CREATE FUNCTION anything() RETURNS record LANGUAGE sql AS 'SELECT 1, 2';
                CREATE FUNCTION page() RETURNS "Text/HTML" LANGUAGE sql AS 'SELECT ''<p>''::"Text/HTML"';
                CREATE FUNCTION adds(a int, b int DEFAULT 1, VARIADIC c int[] DEFAULT '{}') RETURNS int
                    SET statement_timeout = '3s' SET work_mem = '1MB' LANGUAGE sql AS 'SELECT a + b';
                COMMENT ON FUNCTION adds(int, int, int[]) IS 'Adds numbers';
                CREATE FUNCTION over(a int) RETURNS int LANGUAGE sql AS 'SELECT a';
                CREATE FUNCTION over(a int, b int) RETURNS int LANGUAGE sql AS 'SELECT a';
                CREATE FUNCTION takes_json(jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION takes_int(int) RETURNS int LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION takes_two(text, text) RETURNS text LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                CREATE PROCEDURE proceeds() LANGUAGE sql AS '';
                CREATE FUNCTION doubled(items) RETURNS numeric STABLE LANGUAGE sql AS 'SELECT $1.price * 2';
                CREATE FUNCTION doubled_too(items, int) RETURNS numeric STABLE LANGUAGE sql AS 'SELECT $1.price * 2';
                CREATE FUNCTION twkb_step(state bytea, item items) RETURNS bytea IMMUTABLE LANGUAGE sql AS 'SELECT state';
                CREATE FUNCTION twkb_end(bytea) RETURNS "application/vnd.twkb" IMMUTABLE LANGUAGE sql
                    AS 'SELECT $1::"application/vnd.twkb"';
                CREATE AGGREGATE twkb(items) (sfunc = twkb_step, stype = bytea, finalfunc = twkb_end, initcond = '');
                CREATE AGGREGATE plain_sum(int) (sfunc = int4pl, stype = int);
                """);
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    private static Routine routine(String name) {
        List<Routine> all = schema.schema().routines().named(schema.name(name));
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, VOID, false",
        "answer, SCALAR, false",
        "answers, SCALAR, true",
        "best, COMPOSITE, false",
        "shelved, COMPOSITE, false",
        "all_items, COMPOSITE, true",
        "made, COLUMNS, true",
        "given, COLUMNS, false",
        "anything, RECORD, false",
        "page, SCALAR, false"
    })
    void whatComesBack(String name, Routine.Shape shape, boolean many) {
        assertThat(routine(name).returns().shape()).isEqualTo(shape);
        assertThat(routine(name).returns().setOf()).isEqualTo(many);
    }

    @Test
    void rowsOfATableSayWhichTable() {
        assertThat(routine("all_items").returns().relation()).contains(schema.name("items"));
        assertThat(routine("shelved").returns().relation()).contains(schema.name("items"));
        assertThat(routine("made").returns().relation()).isEmpty();
        assertThat(routine("made").returns().columns())
                .extracting(Routine.Output::name)
                .containsExactly("a", "b");
        assertThat(routine("given").returns().columns())
                .extracting(Routine.Output::name)
                .containsExactly("y", "z");
        assertThat(routine("given").parameters())
                .extracting(Routine.Parameter::name)
                .containsExactly("x", "y");
    }

    @Test
    void parametersAndSettingsAreKnown() {
        Routine adds = routine("adds");
        assertThat(adds.parameters())
                .extracting(
                        one -> one.name() + ":" + one.type().displayed() + ":" + one.required() + ":" + one.variadic())
                .containsExactly("a:integer:true:false", "b:integer:false:false", "c:integer[]:false:true");
        assertThat(adds.variadic()).isTrue();
        assertThat(adds.settings())
                .containsExactly(
                        new Routine.Setting("statement_timeout", "3s"), new Routine.Setting("work_mem", "1MB"));
        assertThat(adds.description()).contains("Adds numbers");
        assertThat(adds.volatility()).isEqualTo(Routine.Volatility.VOLATILE);
        assertThat(routine("answer").volatility()).isEqualTo(Routine.Volatility.IMMUTABLE);
        assertThat(routine("best").volatility()).isEqualTo(Routine.Volatility.STABLE);
    }

    @Test
    void overloadsAndUnnamedParameters() {
        assertThat(schema.schema().routines().named(schema.name("over")))
                .extracting(one -> one.parameters().size())
                .containsExactlyInAnyOrder(1, 2);
        assertThat(routine("takes_json").unnamedParameter().orElseThrow().type().displayed())
                .isEqualTo("jsonb");
    }

    @ParameterizedTest
    @CsvSource({"takes_int", "takes_two", "fires", "proceeds", "twkb", "absent"})
    void routinesThatCannotBeCalledAreLeftOut(String name) {
        assertThat(schema.schema().routines().named(schema.name(name))).isEmpty();
    }

    @Test
    void computedColumnsAndHandlers() {
        assertThat(schema.schema()
                        .routines()
                        .computedColumn(schema.name("items"), "doubled")
                        .orElseThrow()
                        .type()
                        .displayed())
                .isEqualTo("numeric");
        assertThat(schema.schema().routines().computedColumn(schema.name("items"), "doubled_too"))
                .isEmpty();
        MediaHandler handler = schema.schema().handlers().getFirst();
        assertThat(handler.mediaType()).isEqualTo("application/vnd.twkb");
        assertThat(handler.function()).isEqualTo(schema.name("twkb"));
        assertThat(handler.relation()).contains(schema.name("items"));
        assertThat(handler.type().isBuiltin("bytea")).isTrue();
        assertThat(routine("page").returns().type().name()).isEqualTo("Text/HTML");
    }
}
