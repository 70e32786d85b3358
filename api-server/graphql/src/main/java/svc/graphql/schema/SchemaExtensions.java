package svc.graphql.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship.ColumnPair;

/**
 * What a schema has that pg_graphql's has not: filters and orders by related rows, filters of JSON, upserts, nested inserts.
 * Nothing while the project's extensions are off. Names of pg_graphql's own fields win.
 */
public final class SchemaExtensions {
    private static final Set<String> COMBINATORS = Set.of("and", "or", "not", "nodeId");
    private static final Set<FilterOperator> JSON_OPERATORS = Collections.unmodifiableSet(EnumSet.of(
            FilterOperator.CONTAINS,
            FilterOperator.CONTAINED_BY,
            FilterOperator.HAS_KEY,
            FilterOperator.PATH_EXISTS,
            FilterOperator.PATH_MATCHES,
            FilterOperator.IS));

    private final boolean enabled;
    private final Map<QualifiedIdentifier, Entity> entities;

    SchemaExtensions(boolean enabled, Map<QualifiedIdentifier, Entity> entities) {
        this.enabled = enabled;
        this.entities = entities;
    }

    public boolean enabled() {
        return enabled;
    }

    /** The operators of the filter of a type. */
    public Set<FilterOperator> operators(ValueType type) {
        return enabled && type.is(ScalarType.JSON) ? JSON_OPERATORS : type.operators();
    }

    /** Whether filters may compare a column. */
    public boolean isFilterable(EntityColumn column) {
        return column.selectable() && !operators(column.type()).isEmpty();
    }

    /**
     * A relation to another entity.
     *
     * @param columns pairs of a column of this row and one of the other
     * @param many whether there may be several rows
     * @param holdsKey whether this row has the key's columns
     */
    public record Relation(String name, Entity target, List<ColumnPair> columns, boolean many, boolean holdsKey) {}

    /** The relations of an entity that a filter of it may name. */
    public List<Relation> filters(Entity entity) {
        return relations(entity)
                .filter(one -> filter(entity, one.name()).isPresent())
                .toList();
    }

    /** The relation that a field of the entity's filter names. */
    public Optional<Relation> filter(Entity entity, String name) {
        boolean taken = COMBINATORS.contains(name)
                || entity.column(name).filter(this::isFilterable).isPresent();
        return taken ? Optional.empty() : relation(entity, name);
    }

    /** The relations to one row that an order of the entity may name. */
    public List<Relation> orders(Entity entity) {
        return relations(entity)
                .filter(one -> order(entity, one.name()).isPresent())
                .toList();
    }

    /** The relation that a field of the entity's order names. */
    public Optional<Relation> order(Entity entity, String name) {
        boolean taken = entity.column(name).filter(EntityColumn::isOrderable).isPresent();
        return taken ? Optional.empty() : relation(entity, name).filter(one -> !one.many());
    }

    /** The relations whose rows an insert of the entity may insert with it. */
    public List<Relation> inserts(Entity entity) {
        return relations(entity)
                .filter(one -> insert(entity, one.name()).isPresent())
                .toList();
    }

    /** The relation that a field of the entity's insert names: the role may insert there, and set the key's columns. */
    public Optional<Relation> insert(Entity entity, String name) {
        boolean taken = entity.column(name).filter(EntityColumn::insertable).isPresent();
        return taken
                ? Optional.empty()
                : relation(entity, name)
                        .filter(one -> one.target().rights().insert())
                        .filter(one -> one.columns().stream()
                                .allMatch(pair -> one.holdsKey()
                                        ? isInsertable(entity, pair.column())
                                        : isInsertable(one.target(), pair.foreignColumn())));
    }

    /** By its name in the database. */
    private static boolean isInsertable(Entity entity, String column) {
        return entity.columns().values().stream()
                .anyMatch(one -> one.column().name().equals(column) && one.insertable());
    }

    /** The keys whose conflicts an insert may resolve, each as its columns; those that the role may not select are left out. */
    public List<List<EntityColumn>> conflictKeys(Entity entity) {
        if (!enabled || entity.table().kind().isView() || !entity.rights().insert()) {
            return List.of();
        }
        List<List<EntityColumn>> keys = new ArrayList<>();
        Stream.concat(Stream.of(entity.table().primaryKey()), entity.table().uniqueKeys().stream())
                .filter(names -> !names.isEmpty())
                .forEach(names -> {
                    List<EntityColumn> key = entity.selectable().stream()
                            .filter(column -> names.contains(column.column().name()))
                            .toList();
                    if (key.size() == names.size()) {
                        keys.add(key);
                    }
                });
        return keys;
    }

    private Stream<Relation> relations(Entity entity) {
        return entity.fields().keySet().stream().flatMap(name -> relation(entity, name).stream());
    }

    private Optional<Relation> relation(Entity entity, String name) {
        return enabled
                ? switch (entity.fields().get(name)) {
                    case EntityField.ToOne one ->
                        target(one.target())
                                .map(target -> new Relation(name, target, one.columns(), false, one.holdsKey()));
                    case EntityField.ToMany many ->
                        target(many.target()).map(target -> new Relation(name, target, many.columns(), true, false));
                    case null, default -> Optional.empty();
                }
                : Optional.empty();
    }

    private Optional<Entity> target(QualifiedIdentifier relation) {
        return Optional.ofNullable(entities.get(relation));
    }
}
