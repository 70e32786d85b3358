package svc.realtime.row;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.catalog.Table;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.LogMessage.Value;
import svc.realtime.reader.ChangeBatch.Change;

/**
 * A change of a row, with the columns of its table as the catalog has them. A column that the catalog does not know any
 * more is left out, so nothing is shown whose privileges are not known.
 *
 * @param record the row after the change; empty for a deletion
 * @param old the row before it, as far as its replica identity has it
 * @param missing columns of the row after the change whose values are not in the log: the change left them alone, or they are
 *     generated
 */
public record ChangedRow(
        Type type, Table table, Change change, List<RowValue> record, List<RowValue> old, List<Table.Column> missing) {
    /** What happened, by Supabase's names. */
    public enum Type {
        INSERT,
        UPDATE,
        DELETE
    }

    public ChangedRow {
        record = List.copyOf(record);
        old = List.copyOf(old);
        missing = List.copyOf(missing);
    }

    public static ChangedRow of(LogMessage.Relation shape, Table table, Change change) {
        var reader = new Reader(shape, table, change.shortened());
        return switch (change.row()) {
            case LogMessage.Insert insert -> {
                List<RowValue> record = reader.row(insert.row(), Optional.empty(), true);
                yield new ChangedRow(Type.INSERT, table, change, record, List.of(), reader.missing);
            }
            case LogMessage.Update update -> updated(reader, table, change, update);
            case LogMessage.Delete delete ->
                new ChangedRow(
                        Type.DELETE,
                        table,
                        change,
                        List.of(),
                        reader.row(
                                delete.old().row(),
                                Optional.empty(),
                                delete.old().full()),
                        List.of());
        };
    }

    private static ChangedRow updated(Reader reader, Table table, Change change, LogMessage.Update update) {
        Optional<LogMessage.Tuple> full =
                update.old().filter(LogMessage.OldTuple::full).map(LogMessage.OldTuple::row);
        List<RowValue> record = reader.row(update.row(), full, true);
        List<Table.Column> missing = List.copyOf(reader.missing);
        // Without an old row in the log the key is what it is now.
        List<RowValue> old = update.old()
                .map(before -> reader.row(before.row(), Optional.empty(), before.full()))
                .orElseGet(() -> record.stream().filter(RowValue::key).toList());
        return new ChangedRow(Type.UPDATE, table, change, record, old, missing);
    }

    /** The row that filters look at. */
    public List<RowValue> filtered() {
        return type == Type.DELETE ? old : record;
    }

    /** The value of a column that filters look at; empty for null and for one that the log has not. */
    public Optional<String> value(String column) {
        for (RowValue value : filtered()) {
            if (value.name().equals(column)) {
                return value.text();
            }
        }
        return Optional.empty();
    }

    /** Whether it is known what filters would look at in a column: the log may not have the value. */
    public boolean has(String column) {
        for (RowValue value : filtered()) {
            if (value.name().equals(column)) {
                return true;
            }
        }
        return false;
    }

    public boolean isPrimaryKey(RowValue value) {
        return table.primaryKey().contains(value.name());
    }

    private static final class Reader {
        private final LogMessage.Relation shape;
        private final Table table;
        private final boolean shortened;
        private List<Table.Column> missing = List.of();

        Reader(LogMessage.Relation shape, Table table, boolean shortened) {
            this.shape = shape;
            this.table = table;
            this.shortened = shortened;
        }

        /** @param all whether the values are those of the whole row, and not of the key alone */
        List<RowValue> row(LogMessage.Tuple tuple, Optional<LogMessage.Tuple> before, boolean all) {
            List<RowValue> row = new ArrayList<>();
            List<Table.Column> without = new ArrayList<>();
            int count = Math.min(shape.columns().size(), tuple.values().size());
            for (int i = 0; i < count; i++) {
                LogMessage.Column column = shape.columns().get(i);
                Optional<Table.Column> known = table.column(column.name());
                if (known.isEmpty() || (!all && !column.key())) {
                    continue;
                }
                Value value = value(tuple, before, i);
                if (value instanceof Value.Unchanged) {
                    without.add(known.get());
                } else {
                    row.add(new RowValue(known.get(), column.key(), text(value)));
                }
            }
            if (all) {
                without.addAll(notLogged());
            }
            missing = shortened ? List.of() : without;
            return row;
        }

        /** Generated columns that the log leaves out: virtual ones, and stored ones of a server before PostgreSQL 18. */
        private List<Table.Column> notLogged() {
            return table.columns().stream()
                    .filter(column -> column.generation() == Table.Generation.STORED)
                    .filter(column -> shape.columns().stream()
                            .noneMatch(logged -> logged.name().equals(column.name())))
                    .toList();
        }

        private static Value value(LogMessage.Tuple tuple, Optional<LogMessage.Tuple> before, int i) {
            Value value = tuple.values().get(i);
            return value instanceof Value.Unchanged
                            && before.isPresent()
                            && i < before.get().values().size()
                    ? before.get().values().get(i)
                    : value;
        }

        private static Optional<String> text(Value value) {
            return value instanceof Value.Text text ? Optional.of(text.text()) : Optional.empty();
        }
    }
}
