package svc.catalog;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The content of a project's exposed schemas at one version: relations, relationships, functions. Immutable.
 *
 * @param version changes with each DDL statement; opaque, for comparison only
 * @param exposed the schemas that requests may select, the default first
 * @param relations all relations of the exposed schemas except partitions
 * @param relationships between them
 * @param routines of the exposed schemas, and computed columns and relationships of the extra search path
 * @param handlers media type handlers of the exposed schemas
 * @param descriptions comments of the exposed schemas
 * @param roles settings of the roles of an adopted database, by role name
 */
public record ProjectSchema(
        String version,
        List<String> exposed,
        Map<QualifiedIdentifier, Table> relations,
        Relationships relationships,
        Routines routines,
        List<MediaHandler> handlers,
        Map<String, String> descriptions,
        Map<String, ImpersonatedRoleSettings> roles) {
    public ProjectSchema {
        exposed = List.copyOf(exposed);
        relations = Map.copyOf(relations);
        handlers = List.copyOf(handlers);
        descriptions = Map.copyOf(descriptions);
        roles = Map.copyOf(roles);
    }

    /** The same with another exposed schema as the default, which a request selects by its profile. */
    public ProjectSchema withDefaultSchema(String schema) {
        if (exposed.getFirst().equals(schema)) {
            return this;
        }
        List<String> reordered =
                Stream.concat(Stream.of(schema), exposed.stream()).distinct().toList();
        return new ProjectSchema(version, reordered, relations, relationships, routines, handlers, descriptions, roles);
    }

    /** The settings of transactions that run as this role. */
    public ImpersonatedRoleSettings roleSettings(String role) {
        return roles.getOrDefault(role, ImpersonatedRoleSettings.NONE);
    }

    /** A relation of the default schema. */
    public Optional<Table> table(String name) {
        return table(new QualifiedIdentifier(exposed.getFirst(), name));
    }

    public Optional<Table> table(QualifiedIdentifier name) {
        return Optional.ofNullable(relations.get(name));
    }

    /** All relations, unordered. */
    public Collection<Table> tables() {
        return relations.values();
    }

    /** Estimated heap size in bytes, without what all schemas share. */
    public int estimatedBytes() {
        return (int) Math.min(SchemaSize.of(this), Integer.MAX_VALUE);
    }
}
