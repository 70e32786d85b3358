package svc.graphql.plan;

import java.util.List;
import svc.catalog.DataType;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship.ColumnPair;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.ValueType;

/** What is selected of a row. */
public record RowPlan(Entity entity, List<Output> outputs) {
    public RowPlan {
        outputs = List.copyOf(outputs);
    }

    /** A field of the answer, with its response key. */
    public sealed interface Output {
        String key();

        record Typename(String key, String name) implements Output {}

        record NodeId(String key) implements Output {}

        record Value(String key, EntityColumn column) implements Output {}

        record Computed(String key, QualifiedIdentifier function, ValueType type, DataType sqlType) implements Output {}

        /** @param columns pairs of a column of this row and one of the other; empty for a function of the row */
        record One(String key, RowSource source, List<ColumnPair> columns, RowPlan row) implements Output {}

        record Many(String key, ConnectionPlan connection) implements Output {}
    }
}
