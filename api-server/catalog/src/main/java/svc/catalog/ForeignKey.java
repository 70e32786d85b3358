package svc.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationship.ColumnPair;

/**
 * A foreign key with all relations that show it: its own table and the views that show all its columns, and the same of the
 * table it leads to. Any two of them, one from each side, are related; the relationships themselves are made when they are
 * asked for, because their number is the product.
 *
 * @param unique whether the key's columns are unique in their table: one-to-one
 * @param sides where the key is seen, first its table
 * @param foreignSides where what it leads to is seen, first the table
 */
record ForeignKey(String constraint, boolean unique, List<Side> sides, List<Side> foreignSides) {
    ForeignKey {
        sides = List.copyOf(sides);
        foreignSides = List.copyOf(foreignSides);
    }

    /**
     * A relation that shows one end of a key.
     *
     * @param columns its columns, in the key's order
     */
    record Side(QualifiedIdentifier relation, boolean view, List<String> columns) {
        Side {
            columns = List.copyOf(columns);
        }
    }

    /** From where the key lies to where it leads. */
    Relationship.Detected toOne(Side side, Side foreign) {
        List<ColumnPair> columns = pairs(side, foreign);
        Cardinality cardinality = unique
                ? new Cardinality.OneToOne(constraint, columns, false)
                : new Cardinality.ManyToOne(constraint, columns);
        return new Relationship.Detected(side.relation(), foreign.relation(), cardinality, side.view(), foreign.view());
    }

    /** From where the key leads to where it lies. */
    Relationship.Detected toMany(Side side, Side foreign) {
        List<ColumnPair> columns = pairs(foreign, side);
        Cardinality cardinality = unique
                ? new Cardinality.OneToOne(constraint, columns, true)
                : new Cardinality.OneToMany(constraint, columns);
        return new Relationship.Detected(foreign.relation(), side.relation(), cardinality, foreign.view(), side.view());
    }

    /** Over a junction: from where this key leads, to where another key of the same relation leads. */
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
                end.view());
    }

    private static List<ColumnPair> pairs(Side one, Side other) {
        List<ColumnPair> pairs = new ArrayList<>();
        IntStream.range(0, one.columns().size())
                .forEach(i -> pairs.add(
                        new ColumnPair(one.columns().get(i), other.columns().get(i))));
        return pairs;
    }
}
