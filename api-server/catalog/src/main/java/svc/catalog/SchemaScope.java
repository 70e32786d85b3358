package svc.catalog;

import java.util.List;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;

/**
 * Which part of which database one cached schema is of.
 *
 * @param exposed the schemas that requests may name, the default first
 * @param extraSearchPath schemas whose functions may be computed columns and relationships, and which no request may name
 */
public record SchemaScope(DatabaseAddress database, List<String> exposed, List<String> extraSearchPath) {
    public SchemaScope {
        exposed = List.copyOf(exposed);
        extraSearchPath = List.copyOf(extraSearchPath);
        if (exposed.isEmpty()) {
            throw new IllegalArgumentException("a scope exposes at least one schema");
        }
    }

    /** What a project exposes: its own schema and nothing else where the platform made the database. */
    public static SchemaScope of(Tenant tenant) {
        return new SchemaScope(tenant.database(), tenant.exposedSchemas(), tenant.extraSearchPath());
    }

    /** Whether a change of a schema can change what is cached. */
    boolean holds(String databaseName, String schema) {
        return database.name().equals(databaseName) && (exposed.contains(schema) || extraSearchPath.contains(schema));
    }
}
