package svc.operator.watch.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A worker of autovacuum that analyses a table, or summarizes an index, of a project: there it runs the tenant's expressions,
 * and no limit of time of the tenant's logins holds for it.
 *
 * @param relation the name of the table, without the schema
 * @param table oid of the table; 0 when only an index is known
 * @param working how long it has worked on this table
 * @param expressions indexes, statistics objects and types that run the tenant's code, for example {@code index slow_idx};
 *     empty when there are none
 */
public record MaintenanceWorker(
        ProcessId id,
        Optional<UUID> owner,
        String relation,
        long table,
        Duration working,
        long locks,
        List<String> expressions) {
    public MaintenanceWorker {
        expressions = List.copyOf(expressions);
    }
}
