package svc.management.log;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import svc.database.sql.SqlFragment;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.projectlog.LogConfig;
import svc.postgres.Row;
import svc.postgres.jdbc.PlatformDatabase;

/**
 * Reads lines of one project in the role {@code svc_log_reader}, which sees no other's and no other table, with a limit of time.
 * Few reads run at once, and one project has no more than half of the places.
 */
@ApplicationScoped
class LogReads {
    private static final SqlFragment BEGIN =
            SqlFragment.of("SELECT pg_catalog.set_config('svc.log_project', ?, true) AS project,"
                    + " pg_catalog.set_config('statement_timeout', ?, true) AS time,"
                    + " pg_catalog.set_config('TimeZone', 'UTC', true) AS zone,"
                    + " pg_catalog.set_config('jit', 'off', true) AS jit,"
                    + " pg_catalog.set_config('transaction_read_only', 'on', true) AS reads,"
                    + " pg_catalog.set_config('role', 'svc_log_reader', true) AS role");

    private static final Duration WAIT = Duration.ofSeconds(2);

    private final PlatformDatabase database;
    private final Duration timeout;
    private final int share;
    private final Semaphore places;
    private final ConcurrentHashMap<UUID, Integer> running = new ConcurrentHashMap<>();

    LogReads(PlatformDatabase database, LogConfig config) {
        this.database = database;
        this.timeout = config.queryTimeout();
        this.places = new Semaphore(config.queries(), true);
        this.share = Math.max(1, config.queries() / 2);
    }

    /**
     * Runs one SELECT over {@code svc_platform.project_log}.
     *
     * @throws ProblemException 503 if too many reads run
     */
    <T> List<T> read(UUID projectId, SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        enter(projectId);
        try {
            return database.transaction(statements -> {
                statements.query(BEGIN, row -> row.text("role"), projectId.toString(), timeout.toMillis() + "ms");
                return statements.query(sql, reader, binds);
            });
        } finally {
            leave(projectId);
        }
    }

    private void enter(UUID projectId) {
        boolean entered = false;
        boolean free = running.merge(projectId, 1, Integer::sum) <= share;
        try {
            entered = free && places.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!entered) {
            count(projectId, -1);
            throw Problem.of(ProblemCode.LOGS_UNAVAILABLE, "Too many reads of logs run at the same time.")
                    .withHint("Retry the request.")
                    .retryAfter(WAIT)
                    .asException();
        }
    }

    private void leave(UUID projectId) {
        places.release();
        count(projectId, -1);
    }

    private void count(UUID projectId, int more) {
        running.computeIfPresent(projectId, (id, count) -> count + more == 0 ? null : count + more);
    }
}
