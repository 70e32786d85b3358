package svc.rest.resolution;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship;
import svc.catalog.Relationships;

/** Finds the relationship that an embedding's target and hint name, by PostgREST's rules. Pure. */
public final class RelationshipResolver {
    /** The order in which PostgREST lists ambiguous relationships. */
    private static final Comparator<Relationship> ORDER = Comparator.comparing(Relationship::foreignTable)
            .thenComparing(AmbiguityDetails::rank)
            .thenComparing(AmbiguityDetails::constraint);

    /** Views that show a column several times can have millions of matching relationships; an error lists this many. */
    private static final int MAX_CANDIDATES = 100;

    private final Relationships relationships;

    public RelationshipResolver(Relationships relationships) {
        this.relationships = relationships;
    }

    /**
     * Resolves {@code origin?select=target!hint(*)}.
     *
     * @param origin the relation that is read, or whose rows a function returns; both ends are in its schema
     * @param target name of a relation, a foreign key, a foreign key's column, or a computed relationship's function
     * @param hint name of a foreign key, one of its columns on either side, or a junction
     */
    public RelationshipResolution resolve(QualifiedIdentifier origin, String target, Optional<String> hint) {
        var match = new RelationshipMatch(target, hint);
        List<Relationship> found = new ArrayList<>(relationships.computed(origin).stream()
                .filter(match::accepts)
                .filter(one -> one.foreignTable().schema().equals(origin.schema()))
                .toList());
        if (found.isEmpty()) {
            // Nothing but the name of the relation itself names a many-to-many relationship.
            var foreignTable = new QualifiedIdentifier(origin.schema(), target);
            found.addAll(Stream.concat(relationships.direct(origin), relationships.manyToMany(origin, foreignTable))
                    .filter(one -> one.foreignTable().schema().equals(origin.schema()))
                    .filter(one -> !overridden(one))
                    .filter(match::accepts)
                    .limit(MAX_CANDIDATES)
                    .sorted(ORDER)
                    .toList());
        }
        return switch (found.size()) {
            case 0 -> new RelationshipResolution.None(Hints.relationship(relationships, origin, target));
            case 1 -> new RelationshipResolution.Found(found.getFirst());
            default -> AmbiguityDetails.of(target, found);
        };
    }

    /** Whether a computed relationship replaces it: a function with the name of the foreign table. */
    private boolean overridden(Relationship.Detected detected) {
        return relationships.computed(detected.table()).stream()
                .anyMatch(one -> one.function().equals(detected.foreignTable()));
    }
}
