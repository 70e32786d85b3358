package svc.catalog;

import java.util.List;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;

/**
 * The part of a database that one cached schema covers.
 *
 * @param exposed the schemas that requests may select, the default first
 * @param extraSearchPath schemas whose functions may be computed columns and relationships, but which requests cannot
 *     select
 */
public record SchemaScope(DatabaseAddress database, List<String> exposed, List<String> extraSearchPath) {
    public SchemaScope {
        exposed = List.copyOf(exposed);
        extraSearchPath = List.copyOf(extraSearchPath);
        if (exposed.isEmpty()) {
            throw new IllegalArgumentException("a scope exposes at least one schema");
        }
    }

    /** The exposed schemas of a project. Its main schema, whose version counts every change, is always in the scope. */
    public static SchemaScope of(Tenant tenant) {
        return new SchemaScope(tenant.database(), tenant.exposedSchemas(), tenant.extraSearchPath());
    }

    /** Whether a change of a schema can affect this scope. */
    boolean holds(String databaseName, String schema) {
        return database.name().equals(databaseName) && (exposed.contains(schema) || extraSearchPath.contains(schema));
    }
}
