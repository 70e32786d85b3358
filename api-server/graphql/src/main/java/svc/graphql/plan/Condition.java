package svc.graphql.plan;

import java.util.List;
import java.util.Optional;
import svc.catalog.Relationship.ColumnPair;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.FilterOperator;

/** A condition on rows. Values are PostgreSQL's text of the column's type, which the statement binds. */
public sealed interface Condition {
    /** No condition. */
    Condition NONE = new All(List.of());

    record All(List<Condition> parts) implements Condition {
        public All {
            parts = List.copyOf(parts);
        }
    }

    record Any(List<Condition> parts) implements Condition {
        public Any {
            parts = List.copyOf(parts);
        }
    }

    record Not(Condition part) implements Condition {}

    record Compare(EntityColumn column, FilterOperator operator, String value) implements Condition {}

    /**
     * A condition on related rows.
     *
     * @param columns pairs of a column of this row and one of the related
     */
    record Related(Quantifier quantifier, Entity target, List<ColumnPair> columns, Condition inner)
            implements Condition {}

    /** How many of the related rows must fulfil a condition. */
    enum Quantifier {
        SOME,
        EVERY,
        NONE
    }

    /**
     * A condition on the paths of a JSON value; false where the path does not fit the value.
     *
     * @param matches whether the path is a predicate, otherwise it must find something
     * @param path in PostgreSQL's jsonpath
     * @param variables of the path, a JSON object
     */
    record JsonPath(EntityColumn column, boolean matches, String path, Optional<String> variables)
            implements Condition {}

    /** @param values the text of an array of the column's type */
    record In(EntityColumn column, String values) implements Condition {}

    record IsNull(EntityColumn column, boolean isNull) implements Condition {}

    /** A comparison with null: neither true nor false. */
    record Unknown() implements Condition {}
}
