package svc.catalog;

import java.util.List;
import java.util.Optional;
import svc.catalog.CatalogSnapshot.ColumnRow;
import svc.catalog.CatalogSnapshot.ForeignKeyRow;
import svc.catalog.CatalogSnapshot.RelationRow;
import svc.catalog.CatalogSnapshot.RoutineRow;
import svc.catalog.CatalogSnapshot.TypeRow;

/**
 * Bounds the comments and default expressions of one schema. Only descriptions of the API show them, and their owner may
 * write as many and as long ones as he likes; without a bound one project would fill the cache of all.
 */
final class TextBudget {
    /** In characters, of all comments and defaults of a schema together. */
    static final int MAX_LENGTH = 8 * 1024 * 1024;

    private long left = MAX_LENGTH;

    /** The row without its texts, once these are too many. */
    RelationRow within(RelationRow row) {
        long length = length(row.comment());
        for (ColumnRow column : row.columns()) {
            length += length(column.comment()) + length(column.defaultValue());
        }
        for (ForeignKeyRow key : row.foreignKeys()) {
            length += length(key.comment());
        }
        return taken(length) ? row : withoutTexts(row);
    }

    /** The row without its comment, once texts are too many. */
    RoutineRow within(RoutineRow row) {
        return taken(length(row.comment())) ? row : row.withoutComment();
    }

    /** The row without its comment, once texts are too many. */
    TypeRow within(TypeRow row) {
        return taken(length(row.comment())) ? row : row.withoutComment();
    }

    /** What is too long is left out, and shorter texts behind it are kept. */
    private boolean taken(long length) {
        if (length > left) {
            return false;
        }
        left -= length;
        return true;
    }

    private static RelationRow withoutTexts(RelationRow row) {
        List<ColumnRow> columns =
                row.columns().stream().map(ColumnRow::withoutTexts).toList();
        List<ForeignKeyRow> keys =
                row.foreignKeys().stream().map(ForeignKeyRow::withoutComment).toList();
        return row.withTexts(Optional.empty(), columns, keys);
    }

    private static long length(Optional<String> text) {
        return text.map(String::length).orElse(0);
    }
}
