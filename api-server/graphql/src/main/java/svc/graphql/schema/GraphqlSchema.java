package svc.graphql.schema;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;

/**
 * The schema that a role sees. Immutable. Holds entities and root fields; the types that follow from them are derived when
 * introspection asks for them.
 *
 * @param project the content of the database that it was made from
 * @param entities by relation
 * @param query the fields of Query by name, in order
 * @param mutation the fields of Mutation by name, in order; none without a right to write
 * @param introspected the exposed schemas whose comments leave introspection on
 * @param extensions what it has that pg_graphql's has not
 */
public record GraphqlSchema(
        ProjectSchema project,
        Map<QualifiedIdentifier, Entity> entities,
        Map<String, RootField> query,
        Map<String, RootField> mutation,
        Set<String> introspected,
        SchemaExtensions extensions) {
    private static final int SCHEMA_BYTES = 2_000;
    private static final int ENTITY_BYTES = 1_500;
    private static final int FIELD_BYTES = 260;
    private static final int ROOT_FIELD_BYTES = 160;

    /** By identity: two schemas are made from two versions, or for two roles. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Whether introspection shows what the schema of a relation or a function has. */
    public boolean introspects(QualifiedIdentifier object) {
        return introspected.contains(object.schema());
    }

    public Optional<Entity> entity(QualifiedIdentifier relation) {
        return Optional.ofNullable(entities.get(relation));
    }

    /** Estimated heap size in bytes, without the project's schema, which its own cache counts. */
    public int estimatedBytes() {
        long bytes = SCHEMA_BYTES + (long) ROOT_FIELD_BYTES * (query.size() + mutation.size());
        for (Entity entity : entities.values()) {
            bytes += ENTITY_BYTES
                    + (long) FIELD_BYTES
                            * (entity.columns().size() + entity.fields().size());
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }
}
