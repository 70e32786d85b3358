package svc.api.rest.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The relationships between the relations of the exposed schemas, and what a request's target and hint mean among them.
 * The rules are PostgREST's.
 */
public final class Relationships {
    /** Of relationships that match a self-reference, or several keys: tables before views, then by what joins them. */
    private static final Comparator<Relationship> ORDER = Comparator.comparing(Relationship::foreignTable)
            .thenComparing(RelationshipText::rank)
            .thenComparing(RelationshipText::constraint);

    private final Map<QualifiedIdentifier, List<Relationship>> byTable;

    private Relationships(Map<QualifiedIdentifier, List<Relationship>> byTable) {
        this.byTable = byTable;
    }

    public static Relationships of(List<? extends Relationship> all) {
        Map<QualifiedIdentifier, List<Relationship>> grouped = new HashMap<>();
        for (Relationship one : all) {
            grouped.computeIfAbsent(one.table(), unused -> new ArrayList<>()).add(one);
        }
        Map<QualifiedIdentifier, List<Relationship>> sorted = new HashMap<>();
        grouped.forEach(
                (table, list) -> sorted.put(table, list.stream().sorted(ORDER).toList()));
        return new Relationships(Map.copyOf(sorted));
    }

    /** All that start from a relation. */
    public List<Relationship> from(QualifiedIdentifier table) {
        return byTable.getOrDefault(table, List.of());
    }

    /** How many there are. */
    public int size() {
        return byTable.values().stream().mapToInt(List::size).sum();
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
        List<Relationship> found = from(origin).stream()
                .filter(one -> one.foreignTable().schema().equals(origin.schema()))
                .filter(match::accepts)
                .toList();
        return switch (found.size()) {
            case 0 -> new RelationshipResolution.None(hint(origin, target));
            case 1 -> new RelationshipResolution.Found(found.getFirst());
            default ->
                found.stream()
                        .filter(Relationship.Computed.class::isInstance)
                        .findFirst()
                        .<RelationshipResolution>map(RelationshipResolution.Found::new)
                        .orElseGet(() -> RelationshipText.ambiguous(target, found));
        };
    }

    /** An origin without relationships gets another origin's name; a target that is not related, a related one's. */
    private Optional<String> hint(QualifiedIdentifier origin, String target) {
        if (!byTable.containsKey(origin)) {
            return FuzzySet.of(byTable.keySet().stream()
                            .filter(table -> table.schema().equals(origin.schema()))
                            .map(QualifiedIdentifier::name)
                            .toList())
                    .closest(origin.name(), FuzzySet.RELATED)
                    .map(name -> "Perhaps you meant '" + name + "' instead of '" + origin.name() + "'.");
        }
        List<String> related = from(origin).stream()
                .map(one -> one.foreignTable().name())
                .distinct()
                .toList();
        return related.contains(target)
                ? Optional.empty()
                : FuzzySet.of(related)
                        .closest(target, FuzzySet.RELATED)
                        .map(name -> "Perhaps you meant '" + name + "' instead of '" + target + "'.");
    }
}
