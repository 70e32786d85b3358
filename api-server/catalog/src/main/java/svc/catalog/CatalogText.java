package svc.catalog;

import java.util.Map;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * What the statement that reads schemas ({@code catalog.sql}) says differently in different kinds of databases.
 *
 * @param version an expression of type text that changes with each transaction that changed something in the schemas which its
 *     one bind names, as {@code text[]}; null when nothing ever has. It is read alone, and within the statement, whose snapshot
 *     it then belongs to.
 * @param roles a section with the roles that callers may become and that have settings; empty where there is nothing to say
 */
public record CatalogText(SqlFragment version, SqlFragment roles) {
    /** The version is in rows that the guard of a shared database writes in each DDL's own transaction. */
    static CatalogText guarded() {
        return new CatalogText(
                SqlFragment.of("""
                (SELECT pg_catalog.string_agg(v.version::pg_catalog.text || '@' || v.changed_at::pg_catalog.text, ' '
                                              ORDER BY v.schema_name)
                 FROM svc_guard.schema_version v WHERE v.schema_name = ANY (?::pg_catalog.text[]))"""),
                // The platform makes the roles, and their settings are the same for all.
                SqlFragment.of(""));
    }

    /**
     * Of a database that tells nothing of its changes: the version is a sum over the catalog's own row versions. Every DDL
     * writes such rows, VACUUM and ANALYZE write theirs in place and change none. Of views only the definitions count beyond
     * the schemas that are named; constraints count wherever they are, because views inherit them, and so do settings of
     * roles, which lie in no schema.
     */
    static CatalogText adopted() {
        return new CatalogText(
                SqlTemplate.resource(CatalogText.class, "version.sql").bind(Map.of()),
                SqlTemplate.resource(CatalogText.class, "roles.sql").bind(Map.of()));
    }
}
