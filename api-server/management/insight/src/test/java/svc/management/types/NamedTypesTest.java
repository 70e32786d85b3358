package svc.management.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import svc.management.introspection.TestingReads;
import svc.management.types.ProjectTypes.Language;
import svc.platform.problem.ProblemException;

/** Types of a real database in Go, Swift and Python. */
class NamedTypesTest {
    private static final TestingReads PROJECT = new TestingReads("types003");
    private static final TestingReads NEIGHBOUR = new TestingReads("types004");

    @BeforeAll
    static void makeObjects() {
        PROJECT.run("""
                CREATE TYPE mood AS ENUM ('sad', 'not "ok"');
                CREATE TYPE nothing AS ENUM ();
                CREATE TYPE place AS (street text, number int);
                CREATE TABLE todos (
                    id int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
                    title text NOT NULL,
                    "due-date" date,
                    feeling mood NOT NULL DEFAULT 'sad',
                    tags text[] NOT NULL DEFAULT '{}',
                    at place,
                    amount numeric(10, 2),
                    owner uuid NOT NULL,
                    made timestamptz NOT NULL DEFAULT now(),
                    doc jsonb,
                    never nothing,
                    loud text GENERATED ALWAYS AS (upper(title)) STORED);
                CREATE VIEW open_todos AS SELECT id, title, upper(title) AS shouted FROM todos;
                CREATE TABLE "to dos" (id int);
                CREATE TABLE "to-dos" ();
                """);
        NEIGHBOUR.run("CREATE TABLE neighbours_secret (id int); CREATE TYPE neighbours_mood AS ENUM ('x')");
    }

    @AfterAll
    static void close() {
        PROJECT.close();
        NEIGHBOUR.close();
    }

    private static String types(Language language, String... schemas) {
        return new ProjectTypes(PROJECT.introspection()).of(language, PROJECT.tenant(), List.of(schemas));
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = NamedTypesTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void goHasStructsOfRowsInsertsAndUpdates() throws IOException {
        assertThat(types(Language.GO)).isEqualTo(golden("todos.go.txt"));
    }

    @Test
    void swiftHasStructsInAnEnumOfTheSchema() throws IOException {
        assertThat(types(Language.SWIFT, "public")).isEqualTo(golden("todos.swift.txt"));
    }

    @Test
    void pythonHasModelsAndDictionaries() throws IOException {
        assertThat(types(Language.PYTHON, "public")).isEqualTo(golden("todos.py.txt"));
    }

    @ParameterizedTest
    @EnumSource
    void otherSchemasByNameNothingOfANeighbourAndNoNameOfTheDatabase(Language language) {
        assertThat(types(language, "public", "auth", "storage", "graphql_public"))
                .containsIgnoringCase("Users")
                .doesNotContainIgnoringCase("neighbours")
                .doesNotContainIgnoringCase("proj_");
        assertThat(types(language, "auth")).isEqualTo(types(language, "auth", "auth"));
        assertThatThrownBy(() -> types(language, "pubic")).isInstanceOf(ProblemException.class);
    }
}
