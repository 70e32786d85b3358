package svc.catalog;

import java.util.Map;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * The parts of {@code catalog.sql} that differ between shared and adopted databases.
 *
 * @param version an expression of type text that changes with each transaction that changed one of the schemas that its
 *     single bind lists ({@code text[]}); null before the first change. It is read alone to validate a cached schema, and
 *     within the statement, for the same snapshot.
 * @param roles a section with the settings of the roles that requests may use
 */
public record CatalogSql(SqlFragment version, SqlFragment roles) {
    /** Of a shared database: its event triggers update a version row in the transaction of each DDL statement. */
    static CatalogSql guarded() {
        return new CatalogSql(
                SqlFragment.of("""
                (SELECT pg_catalog.string_agg(v.version::pg_catalog.text || '@' || v.changed_at::pg_catalog.text, ' '
                                              ORDER BY v.schema_name)
                 FROM svc_guard.schema_version v WHERE v.schema_name = ANY (?::pg_catalog.text[]))"""),
                SqlTemplate.resource(CatalogSql.class, "project-roles.sql").bind(Map.of()));
    }

    /**
     * Of an adopted database, which has no event triggers: the version is a sum over the row versions (xmin) of the
     * catalog. Every DDL statement writes such rows; VACUUM and ANALYZE update theirs in place. Outside the listed schemas
     * only view definitions, constraints (views inherit them), memberships and settings of roles count.
     */
    static CatalogSql adopted() {
        return new CatalogSql(
                SqlTemplate.resource(CatalogSql.class, "version.sql").bind(Map.of()),
                SqlTemplate.resource(CatalogSql.class, "roles.sql").bind(Map.of()));
    }
}
