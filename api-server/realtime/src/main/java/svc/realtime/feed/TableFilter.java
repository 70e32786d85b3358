package svc.realtime.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.catalog.DataType;
import svc.catalog.Table;
import svc.realtime.feed.PendingChange.SharedRow;
import svc.realtime.filter.Comparison;
import svc.realtime.filter.Condition;
import svc.realtime.filter.Verdict;
import svc.realtime.row.ChangedRow;

/**
 * The conditions of a binding on one table. Bindings with equal conditions share one object ({@link SharedFilters}), which
 * decides once for a row, however many bindings ask.
 */
final class TableFilter {
    private final List<Condition> conditions;
    private final Set<String> columns;

    /** The conditions with the types of the table as it is now. */
    private volatile Compiled compiled;

    /** The last decision, and the row that it was for; of the feed's tasks alone. */
    private long decidedRow = -1;

    private Decision decided = Decision.NO;

    private record Compiled(Table table, Optional<List<Comparison>> comparisons) {}

    /** @param undecided conditions that PostgreSQL must decide, when the verdict is open */
    record Decision(Verdict verdict, List<Comparison> undecided) {
        static final Decision YES = new Decision(Verdict.TRUE, List.of());
        static final Decision NO = new Decision(Verdict.FALSE, List.of());

        boolean mayPass() {
            return verdict != Verdict.FALSE;
        }
    }

    TableFilter(List<Condition> conditions) {
        this.conditions = List.copyOf(conditions);
        this.columns = conditions.stream().map(Condition::column).collect(Collectors.toUnmodifiableSet());
    }

    List<Condition> conditions() {
        return conditions;
    }

    /** The columns whose values it reads. */
    Set<String> columns() {
        return columns;
    }

    /** Whether a row passes. */
    Decision decide(SharedRow row) {
        if (decidedRow != row.number()) {
            decided = conditions.isEmpty() ? Decision.YES : decide(row.row());
            decidedRow = row.number();
        }
        return decided;
    }

    private Decision decide(ChangedRow row) {
        Optional<List<Comparison>> comparisons = comparisons(row.table());
        if (comparisons.isEmpty()) {
            return Decision.NO;
        }
        List<Comparison> undecided = new ArrayList<>(0);
        for (Comparison comparison : comparisons.get()) {
            String column = comparison.condition().column();
            // What is not known passes nothing: not even a test for null.
            switch (row.has(column) ? comparison.decide(row.value(column)) : Verdict.FALSE) {
                case FALSE -> {
                    return Decision.NO;
                }
                case UNDECIDED -> undecided.add(comparison);
                case TRUE -> {}
            }
        }
        return undecided.isEmpty() ? Decision.YES : new Decision(Verdict.UNDECIDED, undecided);
    }

    /** Whether this object is one of the conditions. */
    @SuppressWarnings("ReferenceEquality") // Equal conditions of two filters are asked apart.
    boolean has(Comparison comparison) {
        return known().stream().anyMatch(each -> each == comparison);
    }

    /** The conditions with the types of the table as it was last seen. */
    List<Comparison> known() {
        Compiled known = compiled;
        return known == null ? List.of() : known.comparisons().orElse(List.of());
    }

    /** Empty when the table has no such column any more. */
    @SuppressWarnings("ReferenceEquality") // One version of the schema has one object for a table.
    Optional<List<Comparison>> comparisons(Table table) {
        Compiled known = compiled;
        if (known == null || known.table() != table) {
            known = new Compiled(table, compile(table));
            compiled = known;
        }
        return known.comparisons();
    }

    private Optional<List<Comparison>> compile(Table table) {
        List<Comparison> comparisons = new ArrayList<>();
        for (Condition condition : conditions) {
            Optional<DataType> type = table.column(condition.column()).map(Table.Column::dataType);
            if (type.isEmpty()) {
                return Optional.empty();
            }
            comparisons.add(Comparison.of(condition, type.get()));
        }
        return Optional.of(comparisons);
    }
}
