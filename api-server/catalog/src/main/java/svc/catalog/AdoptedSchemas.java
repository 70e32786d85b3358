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
 * Schemas of adopted databases: read as the database's own login, whose catalogs are open to it. No login of the platform
 * is ever shown to a server that a tenant chose.
 */
public final class AdoptedSchemas {
    private final TenantTransactions transactions;
    private final SchemaReader.Texts texts = SchemaReader.Texts.of(CatalogText.adopted());
    private final Map<String, DatabaseAddress> followed = new ConcurrentHashMap<>();

    public AdoptedSchemas(TenantTransactions transactions) {
        this.transactions = transactions;
    }

    SchemaReader reader(Tenant tenant) {
        return texts.reader(new AdoptedCatalog(transactions, tenant));
    }

    void follow(Tenant tenant, SchemaNotifications notifications, SchemaNotifications.Listener listener) {
        followed.put(tenant.ref(), tenant.database());
        notifications.followAdopted(tenant, transactions, listener);
    }

    /** The adopted database of a project that has changed, if it is followed: what is known of it may hold no longer. */
    public Optional<String> changed(String ref) {
        return Optional.ofNullable(followed.remove(ref)).map(DatabaseAddress::name);
    }
}
