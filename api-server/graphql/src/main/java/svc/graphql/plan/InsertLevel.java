package svc.graphql.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.catalog.Relationship.ColumnPair;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;

/**
 * Rows to insert into one relation, with the related rows that are inserted with them.
 *
 * @param rows the given values of each row; absent ones are defaults
 * @param before the rows that these rows refer to
 * @param after the rows that refer to these rows
 */
public record InsertLevel(
        Entity entity, List<Map<EntityColumn, Cell>> rows, List<Related> before, List<Related> after) {
    public InsertLevel {
        rows = List.copyOf(rows);
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /**
     * Rows of a relation.
     *
     * @param columns pairs of a column of the surrounding rows and one of these
     * @param owners for each of these rows the number of the surrounding row that it belongs to
     */
    public record Related(List<ColumnPair> columns, InsertLevel level, List<Integer> owners) {
        public Related {
            columns = List.copyOf(columns);
            owners = Collections.unmodifiableList(new ArrayList<>(owners));
        }
    }

    /** Whether no row has others in it. */
    public boolean isFlat() {
        return before.isEmpty() && after.isEmpty();
    }

    /** The columns that any row gives, in order. */
    public List<EntityColumn> columns() {
        Set<EntityColumn> columns = new LinkedHashSet<>();
        rows.forEach(row -> columns.addAll(row.keySet()));
        return List.copyOf(columns);
    }
}
