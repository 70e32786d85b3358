package svc.catalog.change;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.catalog.ProjectSchema;
import svc.catalog.TestingSchema;

/** Every kind of DDL that affects the cached schema invalidates it; a change of rows does not. */
class ChangesAreSeenTest {
    private static TestingSchema schema;

    @BeforeAll
    static void layOut() {
        schema = new TestingSchema("changes1", """
                CREATE TABLE a (id int PRIMARY KEY, b_id int);
                CREATE TABLE b (id int PRIMARY KEY);
                CREATE TYPE mood AS ENUM ('sad');
                CREATE VIEW v AS SELECT b_id FROM a;
                CREATE FUNCTION f(a) RETURNS int STABLE LANGUAGE sql AS 'SELECT 1';
                """);
    }

    @AfterAll
    static void close() {
        schema.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE a ADD CONSTRAINT k FOREIGN KEY (b_id) REFERENCES b",
                "ALTER TABLE a RENAME CONSTRAINT k TO key",
                "ALTER TABLE a DROP CONSTRAINT key",
                "ALTER TABLE a ADD UNIQUE (b_id)",
                "CREATE FUNCTION g(x int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "CREATE OR REPLACE FUNCTION g(x int) RETURNS int STABLE LANGUAGE sql AS 'SELECT 1'",
                "ALTER FUNCTION g(int) RENAME TO h",
                "DROP FUNCTION h",
                "COMMENT ON TABLE a IS 'A'",
                "COMMENT ON FUNCTION f(a) IS 'F'",
                "ALTER TYPE mood ADD VALUE 'happy'",
                "CREATE DOMAIN d AS int",
                "DROP DOMAIN d",
                "CREATE OR REPLACE VIEW v AS SELECT b_id, id FROM a",
                "ALTER VIEW v RENAME COLUMN id TO key",
                "ALTER TABLE a ALTER b_id SET DEFAULT 7",
                "ALTER TABLE a ALTER b_id SET NOT NULL",
                "ALTER TABLE b RENAME TO c",
                "CREATE AGGREGATE total(int) (sfunc = int4pl, stype = int)",
                "DO 'BEGIN EXECUTE ''CREATE TABLE dynamic (id int)''; END'",
                "DROP TABLE dynamic"
            })
    void aChangeOfTheSchema(String change) {
        ProjectSchema before = schema.schema();
        schema.run(change);
        assertThat(schema.schema().version()).isNotEqualTo(before.version());
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT INTO a VALUES (1, 1); DELETE FROM a", "ANALYZE a", "SELECT 1"})
    void whatChangesNoSchema(String change) {
        ProjectSchema before = schema.schema();
        schema.run(change);
        assertThat(schema.schema()).isSameAs(before);
    }
}
