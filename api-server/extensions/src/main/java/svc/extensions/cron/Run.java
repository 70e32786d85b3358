package svc.extensions.cron;

import java.time.Instant;
import java.util.Optional;

/**
 * A row of the history, as the worker writes it.
 *
 * @param message empty while it runs
 * @param start in microseconds, as PostgreSQL keeps it
 * @param end empty while it runs
 */
record Run(Job.Key job, Status status, Optional<String> message, Instant start, Optional<Instant> end) {
    /** As pg_cron has it. */
    enum Status {
        RUNNING("running"),
        SUCCEEDED("succeeded"),
        FAILED("failed");

        private final String wire;

        Status(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }
    }

    static Run begun(Job.Key job, Instant now) {
        return new Run(job, Status.RUNNING, Optional.empty(), now, Optional.empty());
    }

    static Run missed(Job.Key job, String why, Instant now) {
        return new Run(job, Status.FAILED, Optional.of(why), now, Optional.of(now));
    }

    /**
     * What tells a run from all others of its database, also from one that got its number after the project deleted its row.
     *
     * @param start as of the run
     */
    record Key(Job.Key job, long id, Instant start) {
        String schema() {
            return job.schema();
        }
    }
}
