package svc.graphql.plan;

import java.util.List;
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

    /** @param values the text of an array of the column's type */
    record In(EntityColumn column, String values) implements Condition {}

    record IsNull(EntityColumn column, boolean isNull) implements Condition {}

    /** A comparison with null: neither true nor false. */
    record Unknown() implements Condition {}
}
