package svc.rest.resolution;

import java.util.List;
import java.util.Optional;
import svc.catalog.Relationship;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationship.ColumnPair;

/** PostgREST's rules for what the target and the hint of an embedding may name. */
record RelationshipMatch(String target, Optional<String> hint) {
    boolean accepts(Relationship relationship) {
        return switch (relationship) {
            case Relationship.Computed computed ->
                target.equals(computed.function().name());
            case Relationship.Detected detected -> detected.self() ? acceptsSelf(detected) : acceptsOther(detected);
        };
    }

    /**
     * A foreign key of a table to itself gives two relationships. The table's name means the children, the key's column the
     * parent; a hint selects one of several keys, for children only.
     */
    private boolean acceptsSelf(Relationship.Detected self) {
        Cardinality cardinality = self.cardinality();
        boolean children = target.equals(self.foreignTable().name()) && cardinality instanceof Cardinality.OneToMany;
        if (hint.isPresent()) {
            return children && foreignColumn(cardinality).equals(hint);
        }
        return children
                || cardinality instanceof Cardinality.ManyToOne
                        && column(cardinality).equals(Optional.of(target));
    }

    private boolean acceptsOther(Relationship.Detected other) {
        Cardinality cardinality = other.cardinality();
        boolean named = target.equals(other.foreignTable().name());
        if (hint.isPresent()) {
            return named && hinted(cardinality, hint.get());
        }
        // A view shows the keys of its tables, but their names select the table only.
        return named
                || !other.foreignTableIsView()
                        && (constraint(cardinality).equals(Optional.of(target))
                                || column(cardinality).equals(Optional.of(target)));
    }

    private static boolean hinted(Cardinality cardinality, String hint) {
        Optional<String> wanted = Optional.of(hint);
        return constraint(cardinality).equals(wanted)
                || column(cardinality).equals(wanted)
                || foreignColumn(cardinality).equals(wanted)
                || cardinality instanceof Cardinality.ManyToMany(Relationship.Junction junction)
                        && junction.table().name().equals(hint);
    }

    private static Optional<String> constraint(Cardinality cardinality) {
        return switch (cardinality) {
            case Cardinality.ManyToOne one -> Optional.of(one.constraint());
            case Cardinality.OneToMany one -> Optional.of(one.constraint());
            case Cardinality.OneToOne one -> Optional.of(one.constraint());
            case Cardinality.ManyToMany unused -> Optional.empty();
        };
    }

    private static Optional<String> column(Cardinality cardinality) {
        return single(cardinality).map(ColumnPair::column);
    }

    private static Optional<String> foreignColumn(Cardinality cardinality) {
        return single(cardinality).map(ColumnPair::foreignColumn);
    }

    private static Optional<ColumnPair> single(Cardinality cardinality) {
        List<ColumnPair> columns = switch (cardinality) {
            case Cardinality.ManyToOne one -> one.columns();
            case Cardinality.OneToMany one -> one.columns();
            case Cardinality.OneToOne one -> one.columns();
            case Cardinality.ManyToMany unused -> List.of();
        };
        return columns.size() == 1 ? Optional.of(columns.getFirst()) : Optional.empty();
    }
}
