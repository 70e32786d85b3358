package svc.catalog;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.flush.AdoptedCatalog;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.listen.SchemaNotifications;

/**
 * Reads the schemas of adopted databases through the connection Secret's own login, which may read the catalogs. The
 * platform never presents one of its own logins to a server that a tenant chose.
 */
public final class AdoptedSchemas {
    private final TenantTransactions transactions;
    private final SchemaReader.Statements statements = SchemaReader.Statements.of(CatalogSql.adopted());
    private final Map<String, DatabaseAddress> followed = new ConcurrentHashMap<>();

    public AdoptedSchemas(TenantTransactions transactions) {
        this.transactions = transactions;
    }

    SchemaReader reader(Tenant tenant) {
        return statements.reader(new AdoptedCatalog(transactions, tenant));
    }

    void follow(Tenant tenant, SchemaNotifications notifications, SchemaNotifications.Listener listener) {
        followed.put(tenant.ref(), tenant.database());
        notifications.followAdopted(tenant, transactions, listener);
    }

    /**
     * Forgets a project whose resource changed. Returns its adopted database, if this process listens to it: the cached
     * schemas may be stale.
     */
    public Optional<String> forget(String ref) {
        return Optional.ofNullable(followed.remove(ref)).map(DatabaseAddress::name);
    }
}
