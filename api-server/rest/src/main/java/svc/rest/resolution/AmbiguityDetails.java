package svc.rest.resolution;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import svc.catalog.Relationship;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationship.ColumnPair;
import svc.rest.resolution.RelationshipResolution.Ambiguous;
import svc.rest.resolution.RelationshipResolution.Candidate;

/** The details and the hint of PGRST201: how PostgREST describes ambiguous relationships. */
final class AmbiguityDetails {
    private AmbiguityDetails() {}

    static Ambiguous of(String target, List<Relationship> found) {
        List<Relationship.Detected> detected = found.stream()
                .filter(Relationship.Detected.class::isInstance)
                .map(Relationship.Detected.class::cast)
                .toList();
        List<Candidate> candidates =
                detected.stream().map(AmbiguityDetails::candidate).toList();
        String choices = detected.stream()
                .map(one -> "'" + one.foreignTable().name() + "!" + constraint(one) + "'")
                .collect(Collectors.joining(", "));
        return new Ambiguous(
                candidates,
                "Try changing '" + target + "' to one of the following: " + choices
                        + ". Find the desired relationship in the 'details' key.");
    }

    /** The order of cardinalities among relationships of the same two relations. */
    static int rank(Relationship relationship) {
        return switch (relationship) {
            case Relationship.Computed unused -> 4;
            case Relationship.Detected detected ->
                switch (detected.cardinality()) {
                    case Cardinality.OneToMany unused -> 0;
                    case Cardinality.ManyToOne unused -> 1;
                    case Cardinality.OneToOne unused -> 2;
                    case Cardinality.ManyToMany unused -> 3;
                };
        };
    }

    /** The hint that selects a relationship: its foreign key, or its junction. */
    static String constraint(Relationship relationship) {
        return switch (relationship) {
            case Relationship.Computed computed -> computed.function().name();
            case Relationship.Detected detected ->
                switch (detected.cardinality()) {
                    case Cardinality.OneToMany one -> one.constraint();
                    case Cardinality.ManyToOne one -> one.constraint();
                    case Cardinality.OneToOne one -> one.constraint();
                    case Cardinality.ManyToMany many -> many.junction().table().name();
                };
        };
    }

    static Candidate candidate(Relationship.Detected one) {
        String embedding = one.table().name() + " with " + one.foreignTable().name();
        return switch (one.cardinality()) {
            case Cardinality.OneToMany to -> new Candidate("one-to-many", embedding, using(one, to.columns()));
            case Cardinality.ManyToOne to -> new Candidate("many-to-one", embedding, using(one, to.columns()));
            case Cardinality.OneToOne to -> new Candidate("one-to-one", embedding, using(one, to.columns()));
            case Cardinality.ManyToMany many -> new Candidate("many-to-many", embedding, over(many.junction()));
        };
    }

    private static String using(Relationship.Detected one, List<ColumnPair> columns) {
        return constraint(one) + " using " + one.table().name() + listed(columns, ColumnPair::column) + " and "
                + one.foreignTable().name() + listed(columns, ColumnPair::foreignColumn);
    }

    private static String over(Relationship.Junction junction) {
        return junction.table().name() + " using " + junction.constraint()
                + listed(junction.source(), ColumnPair::foreignColumn) + " and " + junction.foreignConstraint()
                + listed(junction.target(), ColumnPair::foreignColumn);
    }

    private static String listed(List<ColumnPair> columns, Function<ColumnPair, String> side) {
        return columns.stream().map(side).collect(Collectors.joining(", ", "(", ")"));
    }
}
