package svc.postgres.flush;

import java.util.List;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.Row;
import svc.postgres.jdbc.CatalogReader;

/** Reads the catalog of one adopted database as that database's own login, over the project's own connections. */
public final class AdoptedCatalog implements CatalogReader {
    private final TenantTransactions transactions;
    private final Tenant tenant;

    public AdoptedCatalog(TenantTransactions transactions, Tenant tenant) {
        this.transactions = transactions;
        this.tenant = tenant;
    }

    @Override
    public <T> List<T> query(DatabaseAddress database, SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        if (!database.equals(tenant.database())) {
            throw new IllegalArgumentException("the catalog of " + database.name() + " is not this project's to read");
        }
        return transactions.catalog(tenant, sql, reader, binds);
    }
}
