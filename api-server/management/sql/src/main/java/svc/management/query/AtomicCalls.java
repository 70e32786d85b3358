package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import svc.database.sql.SqlFragment;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;
import svc.platform.projectlog.ProjectLog;
import svc.postgres.script.HeldTransaction;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.StatementResult;
import svc.postgres.script.TransactionListener;
import svc.sqlgate.ExecutionMode;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.OwnFunctions.Mentions;

/**
 * Runs several texts of one call in one transaction: all of them or none. Each goes the way of a call of its own through
 * the gate and the audit, and finds a session without the settings and roles of those before it.
 */
@ApplicationScoped
public class AtomicCalls {
    /** Assigns the transaction its number; a script can change neither. */
    static final SqlFragment TRANSACTION_ID = SqlFragment.of("SELECT pg_catalog.pg_current_xact_id()");

    /** What waited for the end of a text's transaction happens before the next text, as if each had its own. */
    private static final SqlFragment AFTER_TEXT =
            SqlFragment.of("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED; RESET ALL");

    private final SqlCalls calls;
    private final SqlAudit audit;
    private final OwnerSessions sessions;
    private final AuthPreparation authPreparation;
    private final QueryConfig config;
    private final ProjectLog log;

    AtomicCalls(
            SqlCalls calls,
            SqlAudit audit,
            OwnerSessions sessions,
            AuthPreparation authPreparation,
            QueryConfig config,
            ProjectLog log) {
        this.calls = calls;
        this.audit = audit;
        this.sessions = sessions;
        this.authPreparation = authPreparation;
        this.config = config;
        this.log = log;
    }

    /**
     * Why the texts were not applied.
     *
     * @param index of the text that the problem is about; empty for the beginning and the commit
     */
    public record Stop(Problem problem, Optional<Integer> index) {}

    /** The texts on their way to the database. */
    private record Work(List<AuthorizedCall> texts, List<Verdict.Admitted> admitted, List<ScriptRun> runs) {
        CompletionStage<?> callerGone() {
            return texts.getFirst().callerGone();
        }
    }

    /**
     * Runs texts of one call, which was counted. None is run unless the gate admits all of them.
     *
     * @param texts at least one
     * @param witness receives the transaction before the first text is sent; if it throws a problem, nothing is sent
     * @return empty when they are committed. When the problem is {@code upstream_failed}, they may be
     * @throws ProblemException if none of them was sent
     */
    public Optional<Stop> run(List<AuthorizedCall> texts, TransactionListener witness) {
        OwnerLogin login = calls.owner(texts.getFirst());
        QueryCall query = QueryCall.plain(Mode.TRANSACTION, config.maxTimeout());
        List<Verdict.Admitted> admitted = new ArrayList<>();
        Set<String> made = new HashSet<>();
        for (AuthorizedCall text : texts) {
            try {
                admitted.add(admitted(text, query, made));
                made.addAll(Mentions.of(text.call().sql()).made());
            } catch (ProblemException refused) {
                return Optional.of(new Stop(refused.problem(), Optional.of(admitted.size())));
            }
        }
        if (admitted.stream().anyMatch(Verdict.Admitted::authTables)) {
            authPreparation.require(login);
        }
        List<ScriptRun> runs = admitted.stream()
                .map(one -> query.run(one, texts.getFirst().tenant()))
                .toList();
        return run(new Work(texts, admitted, runs), login, witness);
    }

    private Verdict.Admitted admitted(AuthorizedCall text, QueryCall query, Set<String> made) {
        Verdict.Admitted admitted = calls.admitted(text, query, made);
        if (admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION) {
            throw calls.ended(text.call(), Kind.REFUSED, SqlProblems.neverRecorded())
                    .asException();
        }
        return admitted;
    }

    private Optional<Stop> run(Work work, OwnerLogin login, TransactionListener witness) {
        List<SqlAudit.Open> open = new ArrayList<>();
        List<ScriptOutcome> outcomes = new ArrayList<>();
        Optional<ScriptOutcome> end = Optional.empty();
        try {
            for (int i = 0; i < work.texts().size(); i++) {
                open.add(calls.begun(work.texts().get(i).call(), work.admitted().get(i)));
            }
            end = Optional.of(inOneTransaction(work, login, witness, outcomes));
        } finally {
            for (int i = 0; i < open.size(); i++) {
                audit.finish(open.get(i), result(i, outcomes, end));
            }
        }
        logged(work, outcomes, end.get());
        return stop(work, outcomes, end.get());
    }

    /**
     * Sends the texts.
     *
     * @param outcomes gets what became of each that was sent
     * @return the outcome of all
     */
    private ScriptOutcome inOneTransaction(
            Work work, OwnerLogin login, TransactionListener witness, List<ScriptOutcome> outcomes) {
        try (HeldTransaction held = sessions.hold(login, Mode.TRANSACTION, config.maxTimeout())) {
            ScriptOutcome begun = held.run(own(TRANSACTION_ID), work.callerGone());
            if (!(begun instanceof ScriptOutcome.Committed number)) {
                return begun;
            }
            witness.begun(value(number));
            for (ScriptRun run : work.runs()) {
                outcomes.add(one(held, run, work.callerGone()));
                if (!(outcomes.getLast() instanceof ScriptOutcome.Committed)) {
                    return outcomes.getLast();
                }
            }
            return held.end(work.callerGone());
        }
    }

    private ScriptRun own(SqlFragment sql) {
        return ScriptRun.of(sql.sql(), config.maxTimeout());
    }

    static String value(ScriptOutcome.Committed number) {
        return new String(number.rows().orElseThrow().rows().getFirst()[0], StandardCharsets.UTF_8);
    }

    private ScriptOutcome one(HeldTransaction held, ScriptRun run, CompletionStage<?> callerGone) {
        ScriptOutcome outcome = held.run(run, callerGone);
        if (!(outcome instanceof ScriptOutcome.Committed committed)) {
            return outcome;
        }
        ScriptOutcome after = held.run(own(AFTER_TEXT), callerGone);
        if (after instanceof ScriptOutcome.Committed) {
            // Rows of all texts would be too much to keep.
            return new ScriptOutcome.Committed(
                    committed.statements().stream()
                            .map(statement -> new StatementResult(statement.tag(), Optional.empty()))
                            .toList(),
                    Map.of());
        }
        // Of no place in the text.
        return after instanceof ScriptOutcome.Failed failed
                ? new ScriptOutcome.Failed(failed.error(), Optional.empty())
                : after;
    }

    /** Whether a text ended the transaction, and not its beginning or its commit. */
    private static boolean stoppedByText(List<ScriptOutcome> outcomes) {
        return !outcomes.isEmpty() && !(outcomes.getLast() instanceof ScriptOutcome.Committed);
    }

    private static CallResult result(int index, List<ScriptOutcome> outcomes, Optional<ScriptOutcome> end) {
        if (index >= outcomes.size()) {
            return CallResult.of(Kind.REFUSED, "not_run");
        }
        if (end.isEmpty()) {
            return CallResult.of(Kind.UNKNOWN, "internal_error");
        }
        boolean before = stoppedByText(outcomes) && index < outcomes.size() - 1;
        return before && !(end.get() instanceof ScriptOutcome.LeftTransaction)
                ? CallResult.rolledBack(0)
                : ScriptResults.resultOf(end.get(), Mode.TRANSACTION);
    }

    /** Lines for what was committed, or for the text that was not. */
    private void logged(Work work, List<ScriptOutcome> outcomes, ScriptOutcome end) {
        for (int i = stoppedByText(outcomes) ? outcomes.size() - 1 : 0; i < outcomes.size(); i++) {
            AuthorizedCall text = work.texts().get(i);
            SqlCallLog.add(
                    log, text.tenant(), text.call(), work.admitted().get(i).summary(), end);
        }
    }

    private static Optional<Stop> stop(Work work, List<ScriptOutcome> outcomes, ScriptOutcome end) {
        int last = Math.max(0, outcomes.size() - 1);
        try {
            ScriptResults.committed(end, work.runs().get(last), work.admitted().get(last));
            return Optional.empty();
        } catch (ProblemException e) {
            return Optional.of(new Stop(e.problem(), stoppedByText(outcomes) ? Optional.of(last) : Optional.empty()));
        }
    }
}
