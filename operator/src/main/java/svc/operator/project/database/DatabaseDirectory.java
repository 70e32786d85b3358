package svc.operator.project.database;

import java.util.Optional;
import javax.sql.DataSource;

/** The databases of projects, by the names that the registry records. */
@FunctionalInterface
public interface DatabaseDirectory {
    /** Superuser connections to the database; empty if it is not configured. */
    Optional<DataSource> database(String name);
}
