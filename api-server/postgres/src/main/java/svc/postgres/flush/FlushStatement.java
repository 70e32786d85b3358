package svc.postgres.flush;

import java.util.List;
import svc.database.sql.SqlFragment;

/**
 * One of the statements that a flush sends.
 *
 * @param text with a question mark for each value
 * @param values without a type, null for SQL's null
 */
record FlushStatement(SqlFragment text, List<String> values) {
    /** Without values. */
    static FlushStatement of(SqlFragment text) {
        return new FlushStatement(text, List.of());
    }
}
