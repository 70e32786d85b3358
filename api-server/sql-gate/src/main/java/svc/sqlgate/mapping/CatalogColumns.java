package svc.sqlgate.mapping;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.shared.CatalogViews;

/**
 * The columns of the server's catalog that hold names of schemas or roles. Of {@code pg_catalog} they are known by
 * relation, because an application may have a column of the same name in a table that it joins with the catalog.
 * Source: the system catalogs and views in PostgreSQL's documentation.
 */
final class CatalogColumns {
    private static final Set<String> SERVER = Set.of("pg_catalog", CatalogViews.SCHEMA);
    private static final Set<String> INFORMATION = Set.of("information_schema", CatalogViews.INFORMATION_SCHEMA);

    private static final Set<String> SCHEMAS = Set.of(
            "nspname",
            "schemaname",
            "schema_name",
            "table_schema",
            "constraint_schema",
            "unique_constraint_schema",
            "trigger_schema",
            "event_object_schema",
            "routine_schema",
            "specific_schema",
            "sequence_schema",
            "domain_schema",
            "udt_schema",
            "view_schema",
            "object_schema",
            "collation_schema",
            "character_set_schema");

    private static final Set<String> ROLES = Set.of(
            "rolname",
            "role_name",
            "grantee",
            "grantor",
            "usename",
            "roles",
            "tableowner",
            "viewowner",
            "matviewowner",
            "sequenceowner",
            "schema_owner");

    /** Relations of {@code pg_catalog} by the columns above that they have. */
    private static final Map<String, Set<String>> RELATIONS = Map.of(
            "nspname", Set.of("pg_namespace"),
            "schemaname", withSchemaName(),
            "rolname", Set.of("pg_roles", "pg_authid"),
            "usename", Set.of("pg_user", "pg_shadow", "pg_user_mappings", "pg_stat_activity", "pg_stat_replication"),
            "roles", Set.of("pg_policies"),
            "tableowner", Set.of("pg_tables"),
            "viewowner", Set.of("pg_views"),
            "matviewowner", Set.of("pg_matviews"),
            "sequenceowner", Set.of("pg_sequences"));

    private CatalogColumns() {}

    private static Set<String> withSchemaName() {
        Set<String> relations = new HashSet<>(Set.of(
                "pg_tables",
                "pg_views",
                "pg_matviews",
                "pg_indexes",
                "pg_sequences",
                "pg_policies",
                "pg_rules",
                "pg_publication_tables",
                "pg_stats",
                "pg_stats_ext",
                "pg_stats_ext_exprs",
                "pg_stat_user_functions",
                "pg_stat_xact_user_functions"));
        for (String view : List.of(
                "pg_stat_%_tables",
                "pg_stat_%_indexes",
                "pg_stat_xact_%_tables",
                "pg_statio_%_tables",
                "pg_statio_%_indexes",
                "pg_statio_%_sequences")) {
            for (String of : List.of("all", "sys", "user")) {
                relations.add(view.replace("%", of));
            }
        }
        return Set.copyOf(relations);
    }

    /** Whether a schema is {@code pg_catalog} or stands for it. */
    static boolean isServer(String schema) {
        return SERVER.contains(schema);
    }

    /** Whether a schema is {@code information_schema} or stands for it. */
    static boolean isInformation(String schema) {
        return INFORMATION.contains(schema);
    }

    /** Whether a relation of {@code pg_catalog} has any such column. */
    static boolean isRelation(String relation) {
        return RELATIONS.values().stream().anyMatch(relations -> relations.contains(relation));
    }

    /** Whether a relation of {@code pg_catalog} has a column that holds names. */
    static boolean has(String relation, String column) {
        return RELATIONS.getOrDefault(column, Set.of()).contains(relation);
    }

    /** What a column holds if it is the catalog's; empty for one that holds neither names of schemas nor of roles. */
    static Optional<NameKind> kind(String column) {
        if (SCHEMAS.contains(column)) {
            return Optional.of(NameKind.SCHEMA);
        }
        return ROLES.contains(column) ? Optional.of(NameKind.ROLE) : Optional.empty();
    }
}
