package svc.management.introspection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The description of a real database for a model. */
class DatabaseContextTest {
    private static final TestingReads PROJECT = new TestingReads("context1");
    private static final TestingReads NEIGHBOUR = new TestingReads("context2");
    private static final TestingReads LARGE = new TestingReads("context3");

    @AfterAll
    static void close() {
        PROJECT.close();
        NEIGHBOUR.close();
        LARGE.close();
    }

    @Test
    void everyObjectIsALineByTheNamesOfApplications() {
        PROJECT.run("""
                CREATE TYPE mood AS ENUM ('sad', 'happy');
                CREATE TABLE people (id int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text NOT NULL, feels mood,
                    tags text[] DEFAULT '{}');
                CREATE TABLE tasks (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner int8 REFERENCES people);
                ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;
                CREATE POLICY "all read" ON tasks FOR SELECT USING (true);
                CREATE VIEW names AS SELECT name FROM people;
                CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql AS 'SELECT a + b';
                """);
        NEIGHBOUR.run("CREATE TABLE neighbours_secret (id int)");

        DatabaseContext context = DatabaseContext.of(PROJECT.introspection().read(PROJECT.tenant()));

        assertThat(context.context()).isEqualTo("""
                view public.names (name text)
                table public.people (id int8 not null generated, name text not null, feels mood, tags text[] default)
                  primary key (id)
                table public.tasks (id uuid not null default, owner int8) with row security
                  foreign key (owner) references public.people (id)
                  primary key (id)
                  policy all read for select using true
                enum public.mood: sad, happy
                function public.add(a int4, b int4) returns int4
                """);
        assertThat(context.more()).isZero();
        assertThat(context.databases().getFirst().schemas())
                .extracting(DatabaseContext.DatabaseSchema::name)
                .contains("public", "auth")
                .noneMatch(name -> name.startsWith("proj_"));
    }

    @Test
    void aLargeDatabaseIsCutAtALine() {
        LARGE.run("""
                DO $$ BEGIN
                  FOR i IN 1..600 LOOP
                    EXECUTE format('CREATE TABLE big_%s (one text, two text, three text, four text, five text, six text)', i);
                  END LOOP;
                END $$""");

        DatabaseContext context = DatabaseContext.of(LARGE.introspection().read(LARGE.tenant()));

        assertThat(context.context().length()).isLessThanOrEqualTo(DatabaseContext.MAX_LENGTH);
        assertThat(context.context()).endsWith(")\n");
        assertThat(context.more()).isPositive();
        assertThat(context.context().lines().count() + context.more()).isEqualTo(600);
    }
}
