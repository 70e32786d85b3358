package svc.realtime.feed;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import svc.catalog.Table;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.jdbc.CatalogReader;

/**
 * What a role may see of a table.
 *
 * @param rowSecurity whether policies decide which rows this role sees
 * @param selectable columns with the privilege SELECT
 */
public record TableAccess(boolean rowSecurity, Set<String> selectable) {
    private static final SqlFragment ACCESS = SqlFragment.of("""
            SELECT c.relrowsecurity AND NOT (r.rolsuper OR r.rolbypassrls) AS row_security,
                coalesce((
                    SELECT pg_catalog.array_agg(a.attname::pg_catalog.text)
                    FROM pg_catalog.pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                      AND pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'USAGE')
                      AND pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT')), '{}') AS selectable
            FROM pg_catalog.pg_class c, pg_catalog.pg_roles r
            WHERE c.oid = ?::pg_catalog.int8::pg_catalog.oid AND r.rolname = ?""");

    private static final SqlFragment PUBLISHED = SqlFragment.of("""
            SELECT p.prrelid::pg_catalog.int8 AS oid
            FROM pg_catalog.unnest(?::pg_catalog.text[]) AS asked (oid)
            JOIN pg_catalog.pg_publication_rel p ON p.prrelid = asked.oid::pg_catalog.oid
            JOIN pg_catalog.pg_publication b ON b.oid = p.prpubid AND b.pubname = 'svc_realtime'""");

    /** Nothing. */
    private static final TableAccess NONE = new TableAccess(true, Set.of());

    public TableAccess {
        selectable = Set.copyOf(selectable);
    }

    /** Reads it; blocks. @throws svc.postgres.SqlError when the database cannot be asked */
    static TableAccess read(CatalogReader catalog, DatabaseAddress database, Table table, String role) {
        return catalog
                .query(
                        database,
                        ACCESS,
                        row -> new TableAccess(row.flag("row_security"), new HashSet<>(row.texts("selectable"))),
                        table.oid(),
                        role)
                .stream()
                .findFirst()
                .orElse(NONE);
    }

    /** Which of these tables the log has the changes of; blocks. */
    static Set<Long> published(CatalogReader catalog, DatabaseAddress database, Set<Long> tables) {
        List<String> oids = tables.stream().map(oid -> Long.toString(oid)).toList();
        return Set.copyOf(catalog.query(database, PUBLISHED, row -> row.number("oid"), oids));
    }
}
