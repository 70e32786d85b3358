package svc.graphql.query;

import java.util.List;
import svc.database.sql.SqlFragment;

/**
 * A statement that returns one row: a column of JSON text for each root field that needs the database, in order. That of a
 * write has one column more, the number of affected rows.
 *
 * @param binds values of its placeholders, in order
 */
public record Statement(SqlFragment text, List<String> binds) {
    public Statement {
        binds = List.copyOf(binds);
    }
}
