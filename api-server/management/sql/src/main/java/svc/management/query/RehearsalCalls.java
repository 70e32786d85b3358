package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.OwnFunctions.Mentions;

/** Rehearses several texts of one call: each goes the way of a call by itself, and nothing of them stays. */
@ApplicationScoped
public class RehearsalCalls {
    private final SqlCalls calls;
    private final SqlAudit audit;
    private final OwnerSessions sessions;
    private final AuthPreparation authPreparation;

    RehearsalCalls(SqlCalls calls, SqlAudit audit, OwnerSessions sessions, AuthPreparation authPreparation) {
        this.calls = calls;
        this.audit = audit;
        this.sessions = sessions;
        this.authPreparation = authPreparation;
    }

    /**
     * What became of several texts.
     *
     * @param ran those that ran to their end
     * @param stopped why one did not, or was not admitted; empty when all of them ran
     * @param index of that one
     */
    public record Rehearsal(List<ScriptOutcome.Committed> ran, Optional<Problem> stopped, int index) {
        public Rehearsal {
            ran = List.copyOf(ran);
        }
    }

    /**
     * Runs texts of one call, which was counted, one behind the other in one transaction that is rolled back. None is run
     * unless the gate admits all of them.
     */
    public Rehearsal rehearse(List<AuthorizedCall> texts) {
        QueryCall query = QueryCall.plain(Mode.REHEARSAL, calls.longest());
        OwnerLogin login = calls.owner(texts.getFirst());
        try (OwnerSessions.Opening opening = sessions.open(login, false, query.time())) {
            List<Verdict.Admitted> admitted = new ArrayList<>();
            Set<String> made = new HashSet<>();
            for (AuthorizedCall text : texts) {
                try {
                    admitted.add(calls.admitted(text, query, made));
                    made.addAll(Mentions.of(text.call().sql()).made());
                } catch (ProblemException refused) {
                    return new Rehearsal(List.of(), Optional.of(refused.problem()), admitted.size());
                }
            }
            if (admitted.stream().anyMatch(Verdict.Admitted::authTables)) {
                authPreparation.require(login);
            }
            return rehearse(texts, admitted, query, opening);
        }
    }

    private Rehearsal rehearse(
            List<AuthorizedCall> texts,
            List<Verdict.Admitted> admitted,
            QueryCall query,
            OwnerSessions.Opening opening) {
        List<SqlAudit.Open> open = new ArrayList<>();
        List<ScriptOutcome> outcomes = List.of();
        List<ScriptRun> runs = admitted.stream()
                .map(one -> query.run(one, texts.getFirst().tenant()))
                .toList();
        try {
            for (int i = 0; i < texts.size(); i++) {
                open.add(calls.begun(texts.get(i).call(), admitted.get(i)));
            }
            outcomes = opening.rehearse(runs, query.time(), texts.getFirst().callerGone());
        } finally {
            for (int i = 0; i < open.size(); i++) {
                audit.finish(
                        open.get(i),
                        i < outcomes.size()
                                ? ScriptResults.resultOf(outcomes.get(i), Mode.REHEARSAL)
                                : CallResult.of(Kind.REFUSED, "not_run"));
            }
        }
        List<ScriptOutcome.Committed> ran = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            try {
                ran.add(ScriptResults.committed(outcomes.get(i), runs.get(i), admitted.get(i))
                        .withTags(admitted.get(i).tags()));
            } catch (ProblemException stopped) {
                return new Rehearsal(ran, Optional.of(stopped.problem()), i);
            }
        }
        return new Rehearsal(ran, Optional.empty(), ran.size());
    }
}
