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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The relationships between the relations of the exposed schemas, and what a request's target and hint mean among them.
 * The rules are PostgREST's. Only the keys are held: the relationships of a relation are made when they are asked for,
 * because views multiply them (a thousand views on each side of a key are a million).
 */
public final class Relationships {
    /** The order in which PostgREST lists relationships that it cannot choose between. */
    private static final Comparator<Relationship> ORDER = Comparator.comparing(Relationship::foreignTable)
            .thenComparing(RelationshipText::rank)
            .thenComparing(RelationshipText::constraint);

    /** More than this that match are as good as this: views that repeat their columns can make millions. */
    private static final int MOST_CANDIDATES = 100;

    /** One end of a key at a relation. */
    private record End(ForeignKey key, ForeignKey.Side side) {}

    private final Map<QualifiedIdentifier, List<End>> leaving;
    private final Map<QualifiedIdentifier, List<End>> arriving;
    private final Map<QualifiedIdentifier, List<Relationship.Computed>> computed;
    private final Map<QualifiedIdentifier, Table> relations;

    /** @param relations the exposed ones: a junction's primary key decides whether it is one */
    Relationships(
            Collection<ForeignKey> keys,
            Collection<Relationship.Computed> computed,
            Map<QualifiedIdentifier, Table> relations) {
        Map<QualifiedIdentifier, List<End>> leave = new HashMap<>();
        Map<QualifiedIdentifier, List<End>> arrive = new HashMap<>();
        for (ForeignKey key : keys) {
            key.sides().forEach(side -> add(leave, side.relation(), new End(key, side)));
            key.foreignSides().forEach(side -> add(arrive, side.relation(), new End(key, side)));
        }
        Map<QualifiedIdentifier, List<Relationship.Computed>> functions = new HashMap<>();
        computed.forEach(one -> add(functions, one.table(), one));
        this.leaving = frozen(leave);
        this.arriving = frozen(arrive);
        this.computed = frozen(functions);
        this.relations = relations;
    }

    /** Those of the foreign keys that a relation has itself, or shows: to-one, tables before views. */
    public List<Relationship.Detected> toOneOf(QualifiedIdentifier table) {
        return leaving.getOrDefault(table, List.of()).stream()
                .flatMap(end -> end.key().foreignSides().stream()
                        .map(foreign -> end.key().toOne(end.side(), foreign)))
                .sorted(Comparator.comparing(Relationship.Detected::foreignTableIsView)
                        .thenComparing(ORDER))
                .toList();
    }

    Stream<Relationship.Computed> functions() {
        return computed.values().stream().flatMap(List::stream);
    }

    /** The keys that these relationships come from. */
    Stream<ForeignKey> keys() {
        return leaving.values().stream().flatMap(List::stream).map(End::key).distinct();
    }

    /**
     * What {@code origin?select=target!hint(*)} embeds.
     *
     * @param origin the relation that is read, or whose rows a function returns; both ends lie in its schema
     * @param target name of a relation, a foreign key, a foreign key's column, or a computed relationship's function
     * @param hint name of a foreign key, one of its columns on either side, or a junction
     */
    public RelationshipResolution resolve(QualifiedIdentifier origin, String target, Optional<String> hint) {
        var match = new RelationshipMatch(target, hint);
        List<Relationship> found = new ArrayList<>(computed.getOrDefault(origin, List.of()).stream()
                .filter(match::accepts)
                .filter(one -> one.foreignTable().schema().equals(origin.schema()))
                .toList());
        if (found.isEmpty()) {
            found.addAll(Stream.concat(direct(origin), across(origin, target))
                    .filter(one -> one.foreignTable().schema().equals(origin.schema()))
                    .filter(one -> !overridden(one))
                    .filter(match::accepts)
                    .limit(MOST_CANDIDATES)
                    .sorted(ORDER)
                    .toList());
        }
        return switch (found.size()) {
            case 0 -> new RelationshipResolution.None(hint(origin, target));
            case 1 -> new RelationshipResolution.Found(found.getFirst());
            default -> RelationshipText.ambiguous(target, found);
        };
    }

    private Stream<Relationship.Detected> direct(QualifiedIdentifier origin) {
        Stream<Relationship.Detected> there = leaving.getOrDefault(origin, List.of()).stream()
                .flatMap(end -> end.key().foreignSides().stream()
                        .map(foreign -> end.key().toOne(end.side(), foreign)));
        Stream<Relationship.Detected> back = arriving.getOrDefault(origin, List.of()).stream()
                .flatMap(end -> end.key().sides().stream().map(side -> end.key().back(side, end.side())));
        return Stream.concat(there, back);
    }

    /** Over junctions, to the relation of that name: nothing else names such a relationship. */
    private Stream<Relationship.Detected> across(QualifiedIdentifier origin, String target) {
        // By identity: the keys' own equality would compare all their sides.
        Map<ForeignKey, List<ForeignKey.Side>> ends = new IdentityHashMap<>();
        arriving.getOrDefault(new QualifiedIdentifier(origin.schema(), target), List.of()).stream()
                .filter(end -> !end.key().unique())
                .forEach(end -> ends.computeIfAbsent(end.key(), unused -> new ArrayList<>())
                        .add(end.side()));
        return ends.isEmpty()
                ? Stream.empty()
                : arriving.getOrDefault(origin, List.of()).stream()
                        .filter(start -> !start.key().unique())
                        .flatMap(
                                start -> start.key().sides().stream().flatMap(junction -> over(start, junction, ends)));
    }

    private Stream<Relationship.Detected> over(
            End start, ForeignKey.Side junction, Map<ForeignKey, List<ForeignKey.Side>> ends) {
        return leaving.getOrDefault(junction.relation(), List.of()).stream()
                .filter(other -> ends.containsKey(other.key())
                        && !other.key().constraint().equals(start.key().constraint())
                        && joins(junction, other.side()))
                .flatMap(other -> ends.get(other.key()).stream()
                        .map(end -> start.key().across(start.side(), junction, other.key(), other.side(), end)));
    }

    /** Whether both keys lie within the junction's primary key. */
    private boolean joins(ForeignKey.Side one, ForeignKey.Side other) {
        List<String> key = relations.get(one.relation()).primaryKey();
        return key.containsAll(one.columns()) && key.containsAll(other.columns());
    }

    /** A function of a relation stands in for the detected relationship to the relation of its name. */
    private boolean overridden(Relationship.Detected detected) {
        return computed.getOrDefault(detected.table(), List.of()).stream()
                .anyMatch(one -> one.function().equals(detected.foreignTable()));
    }

    /** An origin without relationships gets another origin's name; a target that is not related, a related one's. */
    private Optional<String> hint(QualifiedIdentifier origin, String target) {
        Set<String> related = related(origin);
        if (related.isEmpty()) {
            List<String> origins = Stream.of(leaving, arriving, computed)
                    .flatMap(map -> map.keySet().stream())
                    .distinct()
                    .filter(table -> table.schema().equals(origin.schema()))
                    .map(QualifiedIdentifier::name)
                    .toList();
            return FuzzySet.of(origins)
                    .closest(origin.name(), FuzzySet.RELATED)
                    .map(name -> "Perhaps you meant '" + name + "' instead of '" + origin.name() + "'.");
        }
        return related.contains(target)
                ? Optional.empty()
                : FuzzySet.of(List.copyOf(related))
                        .closest(target, FuzzySet.RELATED)
                        .map(name -> "Perhaps you meant '" + name + "' instead of '" + target + "'.");
    }

    /** Names of all relations that one is related to. */
    private Set<String> related(QualifiedIdentifier origin) {
        Set<QualifiedIdentifier> related = new HashSet<>();
        leaving.getOrDefault(origin, List.of()).forEach(end -> ends(end.key().foreignSides(), related));
        Set<QualifiedIdentifier> children = new HashSet<>();
        arriving.getOrDefault(origin, List.of()).forEach(end -> ends(end.key().sides(), children));
        related.addAll(children);
        Set<ForeignKey> beyond = Collections.newSetFromMap(new IdentityHashMap<>());
        children.forEach(child -> leaving.getOrDefault(child, List.of()).stream()
                .filter(end -> joins(end.side(), end.side()))
                .forEach(end -> beyond.add(end.key())));
        beyond.forEach(key -> ends(key.foreignSides(), related));
        computed.getOrDefault(origin, List.of()).forEach(one -> related.add(one.foreignTable()));
        return related.stream()
                .filter(name -> name.schema().equals(origin.schema()))
                .map(QualifiedIdentifier::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void ends(List<ForeignKey.Side> sides, Set<QualifiedIdentifier> into) {
        sides.forEach(side -> into.add(side.relation()));
    }

    private static <V> void add(Map<QualifiedIdentifier, List<V>> map, QualifiedIdentifier key, V value) {
        map.computeIfAbsent(key, unused -> new ArrayList<>()).add(value);
    }

    private static <V> Map<QualifiedIdentifier, List<V>> frozen(Map<QualifiedIdentifier, List<V>> map) {
        map.replaceAll((key, list) -> List.copyOf(list));
        return Map.copyOf(map);
    }
}
