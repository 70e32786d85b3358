package svc.realtime.policy;

import java.util.function.Function;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.jdbc.CatalogReader;

/** The versions of projects' policies on {@code realtime.messages}, by the rows of the catalog that hold them. Blocks. */
public final class PolicyVersions {
    private static final SqlFragment VERSION = SqlFragment.of("""
            SELECT pg_catalog.concat_ws('|', c.relrowsecurity, c.relacl, pg_catalog.string_agg(
                pg_catalog.concat_ws('.', p.oid, p.xmin), ',' ORDER BY p.oid)) AS version
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_catalog.pg_policy p ON p.polrelid = c.oid
            WHERE n.nspname = ?::pg_catalog.name AND c.relname = 'messages'
            GROUP BY c.oid""");

    private final Function<Tenant, CatalogReader> catalogs;

    /** @param catalogs reads the catalog of a project's database */
    public PolicyVersions(Function<Tenant, CatalogReader> catalogs) {
        this.catalogs = catalogs;
    }

    /** Empty without a table. */
    String of(Tenant tenant) {
        return catalogs
                .apply(tenant)
                .query(
                        tenant.database(),
                        VERSION,
                        row -> row.text("version"),
                        tenant.names().realtime().name())
                .stream()
                .findFirst()
                .orElse("");
    }
}
