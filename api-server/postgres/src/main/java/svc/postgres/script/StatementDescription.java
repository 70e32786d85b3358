package svc.postgres.script;

import java.util.List;
import java.util.Optional;

/**
 * What a statement takes and returns.
 *
 * @param parameterTypes of {@code pg_type}, in their order
 * @param columns empty for a statement that returns no rows
 */
public record StatementDescription(List<Integer> parameterTypes, Optional<List<ResultRows.Column>> columns) {
    public StatementDescription {
        parameterTypes = List.copyOf(parameterTypes);
        columns = columns.map(List::copyOf);
    }
}
