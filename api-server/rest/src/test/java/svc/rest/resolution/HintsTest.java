package svc.rest.resolution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.catalog.TestingSchema;
import svc.rest.resolution.RelationshipResolution.None;

/** Hints for unknown names: PostgREST's examples. */
class HintsTest {
    private static TestingSchema schema;

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("hinting1", """
                CREATE TABLE films (id int PRIMARY KEY);
                CREATE TABLE directors (id int PRIMARY KEY, film int REFERENCES films);
                CREATE TABLE roles (id int PRIMARY KEY, film int REFERENCES films);
                CREATE TABLE actors (id int PRIMARY KEY, film int REFERENCES films);
                CREATE TABLE alone (id int PRIMARY KEY);
                CREATE TABLE zz_y9 (id int PRIMARY KEY, film int REFERENCES films);
                CREATE TABLE abcxyzw (id int PRIMARY KEY, film int REFERENCES films);
                CREATE TABLE axbd (id int PRIMARY KEY, film int REFERENCES films);
                CREATE FUNCTION test(val int, param int, name int) RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE FUNCTION test(id int, attr int) RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE FUNCTION another() RETURNS int LANGUAGE sql AS 'SELECT 1';
                """);
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    /**
     * Underscores are not compared: {@code x_y} and {@code zz_y9} have no two letters in common. A name with three letters in
     * common is preferred to a more similar one with two.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            film               | directors          | Perhaps you meant 'films' instead of 'film'.
            films              | role               | Perhaps you meant 'roles' instead of 'role'.
            films              | actors             |
            noclosealternative | roles              |
            films              | noclosealternative |
            x_y                | films              |
            films              | abcd               | Perhaps you meant 'abcxyzw' instead of 'abcd'.
            """)
    void relationships(String origin, String target, String expected) {
        if (TestingResolver.resolve(schema, origin, target) instanceof None none) {
            assertThat(none.hint().orElse(null)).isEqualTo(expected);
        } else {
            assertThat(target).isEqualTo("actors");
        }
    }

    @Test
    void aWrongHintBetweenRelatedTablesSuggestsNoOtherTable() {
        assertThat(TestingResolver.resolve(schema, "films", "actors!nothing"))
                .isInstanceOfSatisfying(
                        None.class, none -> assertThat(none.hint()).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            testt              | val,param,name | test
            other              |                |
            noclosealternative |                |
            test               | vall,pqaram,nam| test(name, param, val)
            test               | val,param      | test(name, param, val)
            test               | id,attrs       | test(attr, id)
            test               | id             | test(attr, id)
            test               | noclosealternative |
            """)
    void functions(String name, String arguments, String expected) {
        List<String> given = arguments == null ? List.of() : List.of(arguments.split(","));
        String start = "Perhaps you meant to call the function "
                + schema.tenant().names().schemaName() + ".";
        assertThat(Hints.function(schema.schema().routines(), schema.name(name), given)
                        .orElse(null))
                .isEqualTo(expected == null ? null : start + expected);
    }

    @ParameterizedTest
    @CsvSource({"film, films", "FILMS, films", "directorz, directors", "acters, actors"})
    void tables(String name, String expected) {
        assertThat(similar(name)).contains(expected);
    }

    @Test
    void aNameUnlikeAllHasNoHint() {
        assertThat(similar("weather")).isEmpty();
        assertThat(similar("")).isEmpty();
        assertThat(similar("x".repeat(100_000))).isEmpty();
        assertThat(similar("💥\u0000")).isEmpty();
    }

    private static Optional<String> similar(String name) {
        return Hints.table(schema.schema(), schema.tenant().names().schemaName(), name);
    }
}
