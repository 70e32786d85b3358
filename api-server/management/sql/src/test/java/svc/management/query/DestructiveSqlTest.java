package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which SQL a user is asked about before it runs. */
class DestructiveSqlTest {
    private static List<String> found(String sql) {
        return DestructiveSql.statements(List.of("SelectStmt"), sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TABLE t",
                "truncate t",
                "DELETE FROM t WHERE id = 1",
                "DO $$ BEGIN NULL; END $$",
                "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN DELETE",
                "ALTER TABLE t ADD COLUMN a int, DROP COLUMN b",
                "ALTER TYPE place DROP ATTRIBUTE x",
                "UPDATE t SET a = 1",
                "UPDATE t SET a = 'where'",
                "UPDATE t SET \"where\" = 1 -- where",
                "UPDATE t SET a = (SELECT b FROM u WHERE u.id = t.id)",
                "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
                "WITH gone AS (DELETE FROM t RETURNING *) INSERT INTO u SELECT * FROM gone",
                "WITH one AS (SELECT 1) UPDATE t SET a = 1 WHERE id = 1",
                "EXPLAIN ANALYZE DELETE FROM t",
                "EXPLAIN (ANALYZE) UPDATE t SET a = 1",
                "COPY (DELETE FROM t RETURNING *) TO STDOUT",
                "PREPARE p AS DELETE FROM t",
                "CREATE RULE r AS ON INSERT TO t DO INSTEAD UPDATE t SET a = 1",
                "/* nothing */ drop table t"
            })
    void whatMayRemoveSomethingIsFound(String sql) {
        assertThat(found(sql)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 'drop table t', \"delete\" FROM t",
                "SELECT * FROM t FOR UPDATE",
                "-- drop table t\nSELECT 1",
                "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1",
                "UPDATE t SET a = 1 WHERE id = 1",
                "CREATE TABLE t (id int REFERENCES u ON DELETE CASCADE ON UPDATE SET NULL)",
                "CREATE POLICY p ON t FOR UPDATE TO authenticated USING (true)",
                "CREATE POLICY p ON t FOR DELETE TO authenticated USING (true)",
                "CREATE TRIGGER r AFTER UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION f()",
                "GRANT UPDATE, DELETE ON t TO authenticated",
                "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM t; $$ SET search_path = ''",
                "ALTER TABLE t ADD COLUMN dropped int",
                ""
            })
    void theRestIsNot(String sql) {
        assertThat(found(sql)).isEmpty();
    }

    @Test
    void theStatementsThatDestroyAreShownAndNoOthers() {
        assertThat(found("CREATE TABLE a (id int);\nUPDATE t SET a = 1;\nSELECT * FROM t WHERE id = 1; DROP TABLE t;"))
                .containsExactly("UPDATE t SET a = 1", "DROP TABLE t");
    }

    @Test
    void theGrammarDecidesWhereTheWordsSayNothing() {
        assertThat(DestructiveSql.statements(List.of("DropStmt"), " something "))
                .containsExactly("something");
        assertThat(DestructiveSql.statements(List.of(), "DROP TABLE t"))
                .as("what the gate does not admit does not run")
                .isEmpty();
    }
}
