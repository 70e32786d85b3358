package svc.operator.watch.rule;

import java.util.List;

/** What the tenants of one database do at one moment. */
public record Sample(List<Session> sessions, List<MaintenanceWorker> workers) {
    public Sample {
        sessions = List.copyOf(sessions);
        workers = List.copyOf(workers);
    }
}
