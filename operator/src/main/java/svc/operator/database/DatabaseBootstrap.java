package svc.operator.database;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Prepares a database before projects are created in it. Idempotent; several processes may run it at once. */
@FunctionalInterface
public interface DatabaseBootstrap {
    /** @return the number of changes made; 0 when the database was prepared already */
    int prepare(DataSource database) throws SQLException;

    /** Runs this bootstrap, then the next one. */
    default DatabaseBootstrap then(DatabaseBootstrap next) {
        return database -> prepare(database) + next.prepare(database);
    }
}
