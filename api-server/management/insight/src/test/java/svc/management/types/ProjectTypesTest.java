package svc.management.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.management.introspection.TestingReads;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Types of a real database, by the names that applications use. */
class ProjectTypesTest {
    private static final TestingReads PROJECT = new TestingReads("types001");
    private static final TestingReads NEIGHBOUR = new TestingReads("types002");

    @BeforeAll
    static void makeObjects() {
        PROJECT.run("""
                CREATE TYPE mood AS ENUM ('sad', 'not "ok"', 'happy');
                CREATE TYPE nothing AS ENUM ();
                CREATE TYPE place AS (street text, number int);
                CREATE DOMAIN email AS text NOT NULL CHECK (value LIKE '%@%');
                CREATE TABLE people (
                    id int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
                    email email,
                    feeling mood DEFAULT 'happy',
                    feelings mood[],
                    home place,
                    "odd name" text,
                    born date NOT NULL,
                    doc jsonb NOT NULL DEFAULT '{}',
                    tags text[] NOT NULL,
                    at timestamptz NOT NULL DEFAULT now(),
                    loud text GENERATED ALWAYS AS (upper("odd name")) STORED);
                CREATE TABLE tasks (
                    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                    owner int8 NOT NULL REFERENCES people,
                    reviewer int8 UNIQUE REFERENCES people (id),
                    amount numeric(10, 2));
                CREATE VIEW people_seen AS SELECT id, email FROM people;
                CREATE VIEW task_counts AS SELECT owner, count(*) AS total FROM tasks GROUP BY owner;
                CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT a + b';
                CREATE FUNCTION add(a text) RETURNS text LANGUAGE sql AS 'SELECT a';
                CREATE FUNCTION top(n int) RETURNS TABLE (id int8, title text) LANGUAGE sql AS $$ SELECT 1::int8, 'x' $$;
                CREATE FUNCTION open_tasks() RETURNS SETOF tasks LANGUAGE sql AS 'SELECT * FROM tasks';
                CREATE FUNCTION tasks_of(p people) RETURNS SETOF tasks LANGUAGE sql AS 'SELECT * FROM tasks';
                CREATE FUNCTION title(p people) RETURNS text LANGUAGE sql AS 'SELECT p.email::text';
                CREATE FUNCTION touched() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
                CREATE FUNCTION two_unnamed(int, int) RETURNS int LANGUAGE sql AS 'SELECT 1';
                """);
        NEIGHBOUR.run("CREATE TABLE neighbours_secret (id int); CREATE TYPE neighbours_mood AS ENUM ('x')");
    }

    @AfterAll
    static void close() {
        PROJECT.close();
        NEIGHBOUR.close();
    }

    private static String types(String... schemas) {
        return new ProjectTypes(PROJECT.introspection()).typescript(PROJECT.tenant(), List.of(schemas));
    }

    /** The lines of one member of {@code public}, without their common indentation. */
    private static String member(String section, String name) {
        List<String> lines = types("public").lines().toList();
        int from = lines.indexOf("  public: {");
        from = from + lines.subList(from, lines.size()).indexOf("    " + section + ": {");
        List<String> rest = lines.subList(from, lines.size());
        String head = "      " + name + ":";
        return rest.stream()
                .dropWhile(line -> !line.startsWith(head))
                .takeWhile(line -> line.startsWith(head) || line.startsWith("       ") || line.equals("      }"))
                .map(line -> line.substring(6))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aTableHasItsRowsWritesAndRelationships() {
        assertThat(member("Tables", "people")).isEqualTo("""
                people: {
                  Row: {
                    at: string
                    born: string
                    doc: Json
                    email: string
                    feeling: Database["public"]["Enums"]["mood"] | null
                    feelings: Database["public"]["Enums"]["mood"][] | null
                    home: Database["public"]["CompositeTypes"]["place"] | null
                    id: number
                    loud: string | null
                    "odd name": string | null
                    tags: string[]
                    title: string | null
                  }
                  Insert: {
                    at?: string
                    born: string
                    doc?: Json
                    email: string
                    feeling?: Database["public"]["Enums"]["mood"] | null
                    feelings?: Database["public"]["Enums"]["mood"][] | null
                    home?: Database["public"]["CompositeTypes"]["place"] | null
                    id?: never
                    loud?: never
                    "odd name"?: string | null
                    tags: string[]
                  }
                  Update: {
                    at?: string
                    born?: string
                    doc?: Json
                    email?: string
                    feeling?: Database["public"]["Enums"]["mood"] | null
                    feelings?: Database["public"]["Enums"]["mood"][] | null
                    home?: Database["public"]["CompositeTypes"]["place"] | null
                    id?: never
                    loud?: never
                    "odd name"?: string | null
                    tags?: string[]
                  }
                  Relationships: []
                }""");
        assertThat(member("Tables", "tasks")).contains("""
                  Relationships: [
                    {
                      foreignKeyName: "tasks_owner_fkey"
                      columns: ["owner"]
                      isOneToOne: false
                      referencedRelation: "people"
                      referencedColumns: ["id"]
                    },
                    {
                      foreignKeyName: "tasks_owner_fkey"
                      columns: ["owner"]
                      isOneToOne: false
                      referencedRelation: "people_seen"
                      referencedColumns: ["id"]
                    },
                    {
                      foreignKeyName: "tasks_reviewer_fkey"
                      columns: ["reviewer"]
                      isOneToOne: true
                """);
    }

    @Test
    void aViewIsWritableWhereItsTableIs() {
        assertThat(member("Views", "people_seen")).isEqualTo("""
                people_seen: {
                  Row: {
                    email: string | null
                    id: number | null
                  }
                  Insert: {
                    email?: string | null
                    id?: number | null
                  }
                  Update: {
                    email?: string | null
                    id?: number | null
                  }
                  Relationships: []
                }""");
        assertThat(member("Views", "task_counts"))
                .doesNotContain("Insert")
                .contains("total: number | null")
                .contains("referencedRelation: \"people\"");
    }

    @Test
    void functionsHaveTheirArgumentsAndRows() {
        assertThat(member("Functions", "add")).isEqualTo("""
                add:
                  | { Args: { a: number; b?: number }; Returns: number }
                  | { Args: { a: string }; Returns: string }""");
        assertThat(member("Functions", "top"))
                .isEqualTo("top: { Args: { n: number }; Returns: { id: number; title: string }[] }");
        assertThat(member("Functions", "open_tasks"))
                .contains("  Args: never\n")
                .contains("    from: \"*\"\n    to: \"tasks\"\n    isOneToOne: false\n    isSetofReturn: true\n");
        assertThat(member("Functions", "tasks_of")).contains("from: \"people\"");
        assertThat(types()).doesNotContain("touched").doesNotContain("two_unnamed");
    }

    @Test
    void enumsAndCompositeTypesAreNamedAndEnumsAreConstants() {
        assertThat(member("Enums", "mood")).isEqualTo("mood: \"sad\" | \"not \\\"ok\\\"\" | \"happy\"");
        assertThat(member("Enums", "nothing")).isEqualTo("nothing: never");
        assertThat(member("CompositeTypes", "place")).isEqualTo("""
                place: {
                  number: number | null
                  street: string | null
                }""");
        assertThat(types()).endsWith("""
                export const Constants = {
                  public: {
                    Enums: {
                      mood: ["sad", "not \\"ok\\"", "happy"],
                      nothing: [],
                    },
                  },
                } as const
                """);
    }

    @Test
    void otherSchemasAreIncludedByName() {
        assertThat(types("auth"))
                .contains("  auth: {")
                .contains("      users: {")
                .doesNotContain("  public: {");
        assertThat(types("public", "graphql_public"))
                .contains("  graphql_public: {")
                .contains("operationName?: string");
        assertThat(types("graphql_public")).contains("  public: {");
        assertThatThrownBy(() -> types("pubic")).isInstanceOfSatisfying(ProblemException.class, refused -> {
            assertThat(refused.problem().code()).isEqualTo(ProblemCode.INVALID_PARAMETER);
            assertThat(refused.problem().hint().orElseThrow()).contains("public");
        });
    }

    @Test
    void nothingOfANeighbourAndNoNameOfTheDatabase() {
        assertThat(types("public", "auth", "storage", "realtime"))
                .doesNotContain("neighbours")
                .doesNotContain("proj_");
    }

    @Test
    void theSameSchemaGivesTheSameText() {
        assertThat(types("public", "auth")).isEqualTo(types("public", "auth"));
    }
}
