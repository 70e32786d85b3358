package svc.rest.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.catalog.Relationship;
import svc.catalog.Relationship.Cardinality;
import svc.catalog.Relationship.ColumnPair;
import svc.catalog.Relationships;
import svc.catalog.Table;

/** Adds notes on primary and foreign keys to a column's description; generators of client types parse them. */
final class ColumnNotes {
    private final Table table;
    private final List<Relationship.Detected> keys;

    ColumnNotes(Table table, Relationships relationships) {
        this.table = table;
        this.keys = relationships.toOneOf(table.id()).stream()
                .filter(key -> key.foreignTable().schema().equals(table.id().schema()))
                .toList();
    }

    Optional<String> description(Table.Column column) {
        List<String> notes = new ArrayList<>();
        if (table.primaryKey().contains(column.name())) {
            notes.add("This is a Primary Key.<pk/>");
        }
        foreignKey(column.name()).ifPresent(notes::add);
        if (notes.isEmpty()) {
            return column.description();
        }
        notes.addFirst("Note:");
        return Optional.of(column.description().map(text -> text + "\n\n").orElse("") + String.join("\n", notes));
    }

    private Optional<String> foreignKey(String column) {
        return keys.stream()
                .flatMap(key -> only(key.cardinality())
                        .filter(pair -> pair.column().equals(column))
                        .map(pair -> note(key.foreignTable().name(), pair.foreignColumn()))
                        .stream())
                .findFirst();
    }

    private static String note(String foreign, String column) {
        return "This is a Foreign Key to `" + foreign + "." + column + "`.<fk table='" + foreign + "' column='" + column
                + "'/>";
    }

    private static Optional<ColumnPair> only(Cardinality cardinality) {
        List<ColumnPair> columns = switch (cardinality) {
            case Cardinality.ManyToOne one -> one.columns();
            case Cardinality.OneToOne one -> one.columns();
            default -> List.of();
        };
        return columns.size() == 1 ? Optional.of(columns.getFirst()) : Optional.empty();
    }
}
