package svc.management.log;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetMetrics;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;
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
    private final Budget places;

    LogReads(PlatformDatabase database, LogConfig config, MeterRegistry metrics) {
        this.database = database;
        this.timeout = config.queryTimeout();
        this.places = new Budget("log-reads", config.queries());
        BudgetMetrics.register(places, metrics);
        this.share = Math.max(1, config.queries() / 2);
    }

    /**
     * Runs one SELECT over {@code svc_platform.project_log}.
     *
     * @throws ProblemException 503 if too many reads run
     */
    <T> List<T> read(UUID projectId, SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        try (Permit place = place(projectId)) {
            return database.transaction(statements -> {
                statements.query(BEGIN, row -> row.text("role"), projectId.toString(), timeout.toMillis() + "ms");
                return statements.query(sql, reader, binds);
            });
        }
    }

    private Permit place(UUID projectId) {
        Account project = places.whole().part(projectId.toString(), new Limit.Fixed(share), share);
        try {
            if (project.await(1, WAIT) instanceof Outcome.Granted(Permit place)) {
                return place;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw Problem.of(ProblemCode.LOGS_UNAVAILABLE, "Too many reads of logs run at the same time.")
                .withHint("Retry the request.")
                .retryAfter(WAIT)
                .asException();
    }
}
