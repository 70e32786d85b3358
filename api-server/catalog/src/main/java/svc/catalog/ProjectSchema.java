package svc.catalog;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a project's exposed schemas held at one version: relations, how they are related, functions. Immutable.
 *
 * @param version of the row that each DDL changes; opaque, to be compared only
 * @param exposed the schemas that requests may name, the default first
 * @param relations all relations of the exposed schemas, partitions left out
 * @param relationships between them
 * @param routines of the exposed schemas, and computed ones of the extra search path
 * @param handlers renderers of media types, in the exposed schemas
 * @param descriptions comments of the exposed schemas
 * @param roles the roles of an adopted database that have settings, by their names
 */
public record ProjectSchema(
        String version,
        List<String> exposed,
        Map<QualifiedIdentifier, Table> relations,
        Relationships relationships,
        Routines routines,
        List<MediaHandler> handlers,
        Map<String, String> descriptions,
        Map<String, RoleSettings> roles) {
    public ProjectSchema {
        exposed = List.copyOf(exposed);
        relations = Map.copyOf(relations);
        handlers = List.copyOf(handlers);
        descriptions = Map.copyOf(descriptions);
        roles = Map.copyOf(roles);
    }

    /** The same with another of its exposed schemas as the default: what a request with a profile sees. */
    public ProjectSchema seenFrom(String schema) {
        if (exposed.getFirst().equals(schema)) {
            return this;
        }
        List<String> reordered =
                Stream.concat(Stream.of(schema), exposed.stream()).distinct().toList();
        return new ProjectSchema(version, reordered, relations, relationships, routines, handlers, descriptions, roles);
    }

    /** What holds in transactions of those who become this role. */
    public RoleSettings settingsOf(String role) {
        return roles.getOrDefault(role, RoleSettings.NONE);
    }

    /** A relation of the default schema. */
    public Optional<Table> table(String name) {
        return table(new QualifiedIdentifier(exposed.getFirst(), name));
    }

    public Optional<Table> table(QualifiedIdentifier name) {
        return Optional.ofNullable(relations.get(name));
    }

    /** All relations, in no order. */
    public Collection<Table> tables() {
        return relations.values();
    }

    /** About how many bytes of heap this takes; what all schemas share is not counted. */
    public int estimatedBytes() {
        return (int) Math.min(SchemaSize.of(this), Integer.MAX_VALUE);
    }
}
