package svc.graphql.plan;

import java.util.List;
import java.util.Optional;
import svc.catalog.DataType;
import svc.graphql.document.SelectedField;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.ValueType;

/** The plan of a field of Query or Mutation, with its response key. */
public sealed interface RootPlan {
    String key();

    /** Answered without the database. */
    record Typename(String key, String name) implements RootPlan {}

    /** {@code __schema} and {@code __type}, answered without the database. */
    record Introspection(String key, SelectedField field) implements RootPlan {}

    record Collection(String key, ConnectionPlan connection) implements RootPlan {}

    /** At most one row. */
    record Single(String key, RowSource source, Condition condition, RowPlan row) implements RootPlan {}

    record Value(String key, RowSource.Call call, ValueType type, DataType sqlType) implements RootPlan {}

    /** A write of an entity. */
    sealed interface Write extends RootPlan {
        Entity entity();

        List<WriteOutput> outputs();

        /** Most rows that it may affect; empty for no limit. */
        Optional<Long> atMost();

        /** The error when it affects more. */
        String excess();
    }

    /**
     * An insert.
     *
     * @param rows one list for each row, with one value for each column: empty for the column's default
     * @param conflict what happens to rows that exist; empty for an error
     */
    record Insert(
            String key,
            Entity entity,
            List<EntityColumn> columns,
            List<List<Optional<Cell>>> rows,
            Optional<Conflict> conflict,
            List<WriteOutput> outputs)
            implements Write {
        @Override
        public Optional<Long> atMost() {
            return Optional.empty();
        }

        @Override
        public String excess() {
            throw new IllegalStateException("an insert has no limit");
        }
    }

    /**
     * What happens to a row that exists.
     *
     * @param columns the unique key by which it exists
     * @param updates the columns that are set to the inserted values; empty to leave the row as it is
     * @param filter which rows are updated
     */
    record Conflict(List<EntityColumn> columns, List<EntityColumn> updates, Condition filter) {
        public Conflict {
            columns = List.copyOf(columns);
            updates = List.copyOf(updates);
        }
    }

    /** An insert of rows with related ones in them: a statement for each level. */
    record NestedInsert(String key, InsertLevel level, List<WriteOutput> outputs) implements Write {
        @Override
        public Entity entity() {
            return level.entity();
        }

        @Override
        public Optional<Long> atMost() {
            return Optional.empty();
        }

        @Override
        public String excess() {
            throw new IllegalStateException("an insert has no limit");
        }
    }

    record Update(
            String key,
            Entity entity,
            List<Assignment> assignments,
            Condition filter,
            Optional<Long> atMost,
            List<WriteOutput> outputs)
            implements Write {
        @Override
        public String excess() {
            return "update impacts too many records";
        }
    }

    record Delete(String key, Entity entity, Condition filter, Optional<Long> atMost, List<WriteOutput> outputs)
            implements Write {
        @Override
        public String excess() {
            return "delete impacts too many records";
        }
    }

    /** A value of a column. @param text in PostgreSQL's form; null for null */
    record Cell(String text) {}

    record Assignment(EntityColumn column, Cell value) {}

    /** A field of a write's answer. */
    sealed interface WriteOutput {
        String key();

        record Typename(String key, String name) implements WriteOutput {}

        record AffectedCount(String key) implements WriteOutput {}

        record Records(String key, RowPlan row) implements WriteOutput {}
    }
}
