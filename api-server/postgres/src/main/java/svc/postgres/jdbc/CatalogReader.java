package svc.postgres.jdbc;

import java.util.List;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.Row;

/** Reads the catalog of a database for the platform's own use; the rows must not be shown to a caller. */
public interface CatalogReader {
    /**
     * All rows of a query.
     *
     * @throws SqlError what PostgreSQL answered instead, not from the server as callers are concerned
     * @throws PoolExhausted when no connection came free in time
     */
    <T> List<T> query(DatabaseAddress database, SqlFragment sql, Row.Reader<T> reader, Object... binds);
}
