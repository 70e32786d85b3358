package svc.operator.database;

import java.sql.SQLException;
import javax.sql.DataSource;

/** What has to be done once to a database before projects can live in it. Idempotent; other processes may do it too. */
@FunctionalInterface
public interface DatabaseBootstrap {
    /** @return the number of changes made; 0 when it was all there */
    int prepare(DataSource database) throws SQLException;

    /** This one, then the other. */
    default DatabaseBootstrap then(DatabaseBootstrap next) {
        return database -> prepare(database) + next.prepare(database);
    }
}
