package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import svc.database.sql.SqlFragment;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.ServerError;

/**
 * Runs the platform's own reads of a project's database as the project's owner, in a read-only transaction: in a shared
 * database PostgreSQL itself then shows nothing of other projects. They are bounded like scripts: by time, by the size of an
 * answer, and by the number that run for one project at once. Neither gated nor audited, because no text of a caller is in
 * them.
 */
@ApplicationScoped
public class OwnerReads {
    private static final Logger LOG = Logger.getLogger(OwnerReads.class);

    /** Names in the text are the filtered views where there are any; a tenant's objects of the same names are not found. */
    private static final SqlFragment CATALOG_ONLY =
            SqlFragment.of("SET LOCAL search_path = svc_views, pg_catalog; SET LOCAL lock_timeout = '2s';\n");

    private static final Duration VALUE_TIME = Duration.ofSeconds(5);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final OwnerSessions sessions;
    private final OwnerLogins logins;

    public OwnerReads(OwnerSessions sessions, OwnerLogins logins) {
        this.sessions = sessions;
        this.logins = logins;
    }

    /**
     * Rows in PostgreSQL's text format.
     *
     * @param complete false if the limits of an answer left rows out
     */
    public record Answer(List<List<String>> rows, boolean complete) {}

    /**
     * Reads the catalog.
     *
     * @param sql one SELECT
     * @throws ProblemException if the catalog cannot be read now
     */
    public Answer read(Tenant tenant, SqlFragment sql, Duration time) {
        return rows(tenant, CATALOG_ONLY.append(sql), time, error -> {
                    LOG.warnf("the catalog of %s: %s %s", tenant.ref(), error.sqlState(), error.message());
                    return unreadable("The database refused to read the project's catalog.");
                })
                .map(OwnerReads::answer)
                .orElse(new Answer(List.of(), false));
    }

    /**
     * The one value of a statement that returns one row, out of the project's own tables.
     *
     * @throws ProblemException when the database is unreachable, or a policy of the project's fails
     */
    public String value(Tenant tenant, SqlFragment select) {
        return rows(
                        tenant,
                        select,
                        VALUE_TIME,
                        error -> Problem.of(ProblemCode.SQL_ERROR, error.message())
                                .with("sqlstate", error.sqlState())
                                .asException())
                .filter(found -> !found.cut() && !found.rows().isEmpty())
                .map(found -> new String(found.rows().getFirst()[0], StandardCharsets.UTF_8))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SQL_RESULT_TOO_LARGE, "The answer is larger than one answer may be.")
                        .asException());
    }

    private Optional<ResultRows> rows(
            Tenant tenant, SqlFragment sql, Duration time, Function<ServerError, ProblemException> refused) {
        var login = logins.of(tenant).orElseThrow(() -> SqlProblems.noOwner().asException());
        ScriptRun run = ScriptRun.of(sql.sql(), time).in(Mode.READ_ONLY);
        return switch (sessions.run(login, run)) {
            case ScriptOutcome.Committed committed -> committed.rows();
            case ScriptOutcome.Failed failed -> throw refused.apply(failed.error());
            case ScriptOutcome.TimedOut timedOut -> throw unreadable("Reading the project's database took too long.");
            case ScriptOutcome.LockedOut lockedOut ->
                throw SqlProblems.lockedOut().asException();
            case ScriptOutcome.Busy busy -> throw SqlProblems.busy(busy.share()).asException();
            case ScriptOutcome.Unreachable unreachable ->
                throw SqlProblems.unreachable(unreachable).asException();
            case ScriptOutcome.Unreadable unreadable ->
                throw SqlProblems.unreadable().asException();
            case ScriptOutcome.ParameterMismatch other -> throw unexpected(other);
            case ScriptOutcome.CallerLeft other -> throw unexpected(other);
            case ScriptOutcome.LeftTransaction other -> throw unexpected(other);
        };
    }

    private static Answer answer(ResultRows rows) {
        return new Answer(
                rows.rows().stream()
                        .map(row -> Stream.of(row)
                                .map(value -> value == null ? "" : new String(value, StandardCharsets.UTF_8))
                                .toList())
                        .toList(),
                !rows.cut());
    }

    private static ProblemException unreadable(String why) {
        return Problem.of(ProblemCode.UNAVAILABLE, why)
                .withHint("Another transaction may hold locks on the project's objects. Retry when it has ended.")
                .retryAfter(RETRY_AFTER)
                .asException();
    }

    private static IllegalStateException unexpected(ScriptOutcome outcome) {
        return new IllegalStateException("a read of the platform's own ended as " + outcome);
    }
}
