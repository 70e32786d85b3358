package svc.extensions.cron;

import java.time.Instant;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;

/**
 * Ends of runs that this process is to write, whether it leads or not. One that cannot be written stands behind the others, and
 * is given up after some attempts: its run is closed as lost when its time is over. Runs are added by any thread, and written by
 * one.
 */
final class JobEnds {
    private static final Logger LOG = Logger.getLogger(JobEnds.class);

    /** Errors of the database for one end, after which it is given up. */
    private static final int ATTEMPTS = 10;

    /** Ends of one project that wait for its locks; as many rows of its history are kept. */
    private static final int WAITING_OF_PROJECT = JobStore.KEPT_RUNS;

    private final JobStore store;
    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();

    /** Projects whose histories have grown. */
    private final Set<String> grown = ConcurrentHashMap.newKeySet();

    private record Ended(Run.Key run, JobResult result, Instant at, int failures) {
        Ended failed() {
            return new Ended(run, result, at, failures + 1);
        }
    }

    JobEnds(JobStore store) {
        this.store = store;
    }

    void add(Run.Key run, JobResult result, Instant at) {
        long waiting = ended.stream()
                .filter(end -> end.run().schema().equals(run.schema()))
                .count();
        if (waiting < WAITING_OF_PROJECT) {
            ended.add(new Ended(run, result.cut(), at, 0));
        }
    }

    /** The history of a project has more rows: old ones are deleted next time. */
    void grew(String schema) {
        grown.add(schema);
    }

    /** Runs that have ended without a word of it in the database. */
    Set<Run.Key> unwritten() {
        return ended.stream().map(Ended::run).collect(Collectors.toSet());
    }

    /** @throws RuntimeException when the database does not answer; the next call goes on */
    void write() {
        for (int left = ended.size(); left > 0; left--) {
            write(ended.peek());
        }
        for (String schema : grown) {
            grown.remove(schema);
            trim(schema);
        }
    }

    private void write(Ended end) {
        try {
            boolean written = store.end(end.run(), end.result(), end.at());
            ended.remove();
            if (written) {
                grown.add(end.run().schema());
            } else {
                ended.add(end);
            }
        } catch (SqlError e) {
            if (e.infrastructure()) {
                throw e;
            }
            ended.remove();
            LOG.errorf(e, "the end of a run of %s cannot be written", end.run().schema());
            if (end.failures() + 1 < ATTEMPTS) {
                ended.add(end.failed());
            }
        }
    }

    private void trim(String schema) {
        try {
            store.trim(schema);
        } catch (SqlError e) {
            if (e.infrastructure()) {
                grown.add(schema);
                throw e;
            }
            LOG.errorf(e, "old runs of %s cannot be deleted", schema);
        }
    }
}
