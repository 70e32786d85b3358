package svc.operator.watch.rule;

import java.util.List;
import java.util.Optional;

/**
 * What the tenants of one database do at one moment.
 *
 * @param wal of all sessions, idle ones too; empty in most samples, because it is read less often
 */
public record Sample(List<Session> sessions, List<MaintenanceWorker> workers, Optional<List<WalWritten>> wal) {
    public Sample {
        sessions = List.copyOf(sessions);
        workers = List.copyOf(workers);
        wal = wal.map(List::copyOf);
    }

    /** Without the write-ahead log. */
    public Sample(List<Session> sessions, List<MaintenanceWorker> workers) {
        this(sessions, workers, Optional.empty());
    }

    /** The same with another reading of the write-ahead log. */
    public Sample with(Optional<List<WalWritten>> read) {
        return new Sample(sessions, workers, read);
    }
}
