package svc.realtime.row;

import java.util.Optional;
import svc.catalog.Table.Column;

/**
 * A value of a changed row.
 *
 * @param key whether its column belongs to the replica identity
 * @param text in PostgreSQL's text form; empty for null
 */
public record RowValue(Column column, boolean key, Optional<String> text) {
    public String name() {
        return column.name();
    }
}
