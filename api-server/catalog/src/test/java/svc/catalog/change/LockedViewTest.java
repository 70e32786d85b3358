package svc.catalog.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import svc.catalog.ProjectSchema;
import svc.catalog.Table;
import svc.catalog.TestingSchema;
import svc.testing.TestingProjects;

/** A transaction that holds a view does not hold up what is served: neither its project nor another. */
class LockedViewTest {
    @Test
    void aLockedViewIsTakenForWritable() throws SQLException {
        try (var schema = new TestingSchema("locked12", """
                CREATE TABLE a (id int PRIMARY KEY);
                CREATE VIEW v AS SELECT count(*) FROM a;
                """)) {
            try (Connection other =
                            TestingProjects.SERVER.connect(schema.projects().database());
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("LOCK TABLE " + schema.name("v").sql().sql() + " IN ACCESS EXCLUSIVE MODE");
                ProjectSchema loaded = schema.schema();
                assertThat(loaded.table("a")).isPresent();
                assertThat(loaded.table("v").orElseThrow().mutability()).isEqualTo(Table.Mutability.ALL);
                other.rollback();
            }
            schema.run("COMMENT ON TABLE a IS 'changed'");
            assertThat(schema.table("v").mutability()).isEqualTo(Table.Mutability.NONE);
        }
    }
}
