package svc.operator.project.database;

import java.util.Optional;
import javax.sql.DataSource;

/** The databases that projects may lie in, by the names that the registry records. */
@FunctionalInterface
public interface DatabaseDirectory {
    /** Superuser connections to that database; empty if it is not configured (any more). */
    Optional<DataSource> database(String name);
}
