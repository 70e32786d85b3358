package svc.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The relationships between the relations of the exposed schemas. Only the foreign keys are stored: the relationships of a
 * relation are created on demand, because views multiply them (a thousand views on each side of a key are a million
 * relationships).
 */
public final class Relationships {
    /** A foreign key at one of the relations that have or show it. */
    private record End(ForeignKey key, ForeignKey.Side side) {}

    private final Map<QualifiedIdentifier, List<End>> referencing;
    private final Map<QualifiedIdentifier, List<End>> referenced;
    private final Map<QualifiedIdentifier, List<Relationship.Computed>> computed;
    private final Map<QualifiedIdentifier, Table> relations;

    /** @param relations the exposed ones; a relation is a junction when its primary key contains both foreign keys */
    Relationships(
            Collection<ForeignKey> keys,
            Collection<Relationship.Computed> computed,
            Map<QualifiedIdentifier, Table> relations) {
        Map<QualifiedIdentifier, List<End>> from = new HashMap<>();
        Map<QualifiedIdentifier, List<End>> to = new HashMap<>();
        for (ForeignKey key : keys) {
            key.sides().forEach(side -> add(from, side.relation(), new End(key, side)));
            key.foreignSides().forEach(side -> add(to, side.relation(), new End(key, side)));
        }
        Map<QualifiedIdentifier, List<Relationship.Computed>> functions = new HashMap<>();
        computed.forEach(one -> add(functions, one.table(), one));
        this.referencing = frozen(from);
        this.referenced = frozen(to);
        this.computed = frozen(functions);
        this.relations = relations;
    }

    /**
     * The to-one relationships of the foreign keys that a relation has or shows: tables before views, then in the order of
     * the names of relations and constraints.
     */
    public List<Relationship.Detected> toOneOf(QualifiedIdentifier table) {
        return toOne(table)
                .sorted(Comparator.comparing(Relationship.Detected::foreignTableIsView)
                        .thenComparing(Relationship.Detected::foreignTable)
                        .thenComparing(one -> one.cardinality() instanceof Relationship.Cardinality.OneToOne)
                        .thenComparing(Relationships::constraint))
                .toList();
    }

    private static String constraint(Relationship.Detected toOne) {
        return switch (toOne.cardinality()) {
            case Relationship.Cardinality.ManyToOne one -> one.constraint();
            case Relationship.Cardinality.OneToOne one -> one.constraint();
            case Relationship.Cardinality.OneToMany one -> one.constraint();
            case Relationship.Cardinality.ManyToMany many -> many.junction().constraint();
        };
    }

    /** All relationships of one foreign key, in both directions and in no order; lazily created. */
    public Stream<Relationship.Detected> direct(QualifiedIdentifier table) {
        Stream<Relationship.Detected> toMany = referenced.getOrDefault(table, List.of()).stream()
                .flatMap(end -> end.key().sides().stream().map(side -> end.key().toMany(side, end.side())));
        return Stream.concat(toOne(table), toMany);
    }

    private Stream<Relationship.Detected> toOne(QualifiedIdentifier table) {
        return referencing.getOrDefault(table, List.of()).stream()
                .flatMap(end -> end.key().foreignSides().stream()
                        .map(foreign -> end.key().toOne(end.side(), foreign)));
    }

    /** The many-to-many relationships between two relations, in no order; lazily created. */
    public Stream<Relationship.Detected> manyToMany(QualifiedIdentifier table, QualifiedIdentifier foreignTable) {
        // By identity: the keys' own equality would compare all their sides.
        Map<ForeignKey, List<ForeignKey.Side>> ends = new IdentityHashMap<>();
        referenced.getOrDefault(foreignTable, List.of()).stream()
                .filter(end -> !end.key().unique())
                .forEach(end -> ends.computeIfAbsent(end.key(), unused -> new ArrayList<>())
                        .add(end.side()));
        return ends.isEmpty()
                ? Stream.empty()
                : referenced.getOrDefault(table, List.of()).stream()
                        .filter(start -> !start.key().unique())
                        .flatMap(start ->
                                start.key().sides().stream().flatMap(junction -> through(junction, start, ends)));
    }

    private Stream<Relationship.Detected> through(
            ForeignKey.Side junction, End start, Map<ForeignKey, List<ForeignKey.Side>> ends) {
        return referencing.getOrDefault(junction.relation(), List.of()).stream()
                .filter(other -> ends.containsKey(other.key())
                        && !other.key().constraint().equals(start.key().constraint())
                        && isJunction(junction, other.side()))
                .flatMap(other -> ends.get(other.key()).stream()
                        .map(end -> start.key().manyToMany(start.side(), junction, other.key(), other.side(), end)));
    }

    /** Whether the primary key of the relation contains the columns of both foreign keys. */
    private boolean isJunction(ForeignKey.Side one, ForeignKey.Side other) {
        List<String> key = relations.get(one.relation()).primaryKey();
        return key.containsAll(one.columns()) && key.containsAll(other.columns());
    }

    /** The computed relationships that start from the rows of a relation. */
    public List<Relationship.Computed> computed(QualifiedIdentifier table) {
        return computed.getOrDefault(table, List.of());
    }

    /** The relations that have a relationship. */
    public Set<QualifiedIdentifier> tables() {
        return Stream.of(referencing, referenced, computed)
                .flatMap(map -> map.keySet().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The relations that one is related to: directly, through a junction, or by a function. */
    public Set<QualifiedIdentifier> relatedTo(QualifiedIdentifier table) {
        Set<QualifiedIdentifier> related = new HashSet<>();
        referencing
                .getOrDefault(table, List.of())
                .forEach(end -> addRelations(end.key().foreignSides(), related));
        Set<QualifiedIdentifier> children = new HashSet<>();
        referenced
                .getOrDefault(table, List.of())
                .forEach(end -> addRelations(end.key().sides(), children));
        related.addAll(children);
        Set<ForeignKey> throughJunction = Collections.newSetFromMap(new IdentityHashMap<>());
        children.forEach(child -> referencing.getOrDefault(child, List.of()).stream()
                .filter(end -> isJunction(end.side(), end.side()))
                .forEach(end -> throughJunction.add(end.key())));
        throughJunction.forEach(key -> addRelations(key.foreignSides(), related));
        computed(table).forEach(one -> related.add(one.foreignTable()));
        return related;
    }

    private static void addRelations(List<ForeignKey.Side> sides, Set<QualifiedIdentifier> into) {
        sides.forEach(side -> into.add(side.relation()));
    }

    Stream<Relationship.Computed> functions() {
        return computed.values().stream().flatMap(List::stream);
    }

    /** The foreign keys that these relationships come from. */
    Stream<ForeignKey> keys() {
        return referencing.values().stream().flatMap(List::stream).map(End::key).distinct();
    }

    private static <V> void add(Map<QualifiedIdentifier, List<V>> map, QualifiedIdentifier key, V value) {
        map.computeIfAbsent(key, unused -> new ArrayList<>()).add(value);
    }

    private static <V> Map<QualifiedIdentifier, List<V>> frozen(Map<QualifiedIdentifier, List<V>> map) {
        map.replaceAll((key, list) -> List.copyOf(list));
        return Map.copyOf(map);
    }
}
