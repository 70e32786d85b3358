package svc.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationship.ColumnPair;

/**
 * A foreign key with all relations that have its columns: on the referencing side its table and the views that show all its
 * columns, the same on the referenced side. Each pair of one relation per side is related; the relationships are created on
 * demand, because their number is the product.
 *
 * @param unique whether the key's columns are unique in their table: one-to-one
 * @param sides the referencing relations, the table first
 * @param foreignSides the referenced relations, the table first
 * @param description the constraint's comment
 */
record ForeignKey(
        String constraint, boolean unique, List<Side> sides, List<Side> foreignSides, Optional<String> description) {
    ForeignKey {
        sides = List.copyOf(sides);
        foreignSides = List.copyOf(foreignSides);
    }

    /**
     * A relation on one side of the key.
     *
     * @param columns its columns, in the key's order
     */
    record Side(QualifiedIdentifier relation, boolean view, List<String> columns) {
        Side {
            columns = List.copyOf(columns);
        }
    }

    /** From the referencing to the referenced side. */
    Relationship.Detected toOne(Side side, Side foreign) {
        List<ColumnPair> columns = pairs(side, foreign);
        Cardinality cardinality = unique
                ? new Cardinality.OneToOne(constraint, columns, false)
                : new Cardinality.ManyToOne(constraint, columns);
        return new Relationship.Detected(
                side.relation(), foreign.relation(), cardinality, side.view(), foreign.view(), description);
    }

    /** From the referenced to the referencing side. */
    Relationship.Detected toMany(Side side, Side foreign) {
        List<ColumnPair> columns = pairs(foreign, side);
        Cardinality cardinality = unique
                ? new Cardinality.OneToOne(constraint, columns, true)
                : new Cardinality.OneToMany(constraint, columns);
        return new Relationship.Detected(
                foreign.relation(), side.relation(), cardinality, foreign.view(), side.view(), description);
    }

    /**
     * Through a junction: from the relation that this key references to the relation that another key of the junction
     * references.
     */
    Relationship.Detected manyToMany(Side start, Side junction, ForeignKey other, Side otherJunction, Side end) {
        return new Relationship.Detected(
                start.relation(),
                end.relation(),
                new Cardinality.ManyToMany(new Relationship.Junction(
                        junction.relation(),
                        constraint,
                        other.constraint(),
                        pairs(start, junction),
                        pairs(end, otherJunction))),
                start.view(),
                end.view(),
                Optional.empty());
    }

    private static List<ColumnPair> pairs(Side one, Side other) {
        List<ColumnPair> pairs = new ArrayList<>();
        IntStream.range(0, one.columns().size())
                .forEach(i -> pairs.add(
                        new ColumnPair(one.columns().get(i), other.columns().get(i))));
        return pairs;
    }
}
