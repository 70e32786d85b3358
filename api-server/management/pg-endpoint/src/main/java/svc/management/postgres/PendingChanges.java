package svc.management.postgres;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import svc.management.query.AuthorizedCall;
import svc.management.query.SessionTransaction;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * Changes of the history of migrations that wait for the end of a session's transaction. Each is judged when it comes, so
 * that a commit fails only for what happened meanwhile; and is written with the transaction, or not at all.
 */
final class PendingChanges {
    /** Versions that one transaction changes. */
    private static final int MAX_VERSIONS = 500;

    private final HistoryAnswers history;
    private final PreparedStatements.Memory memory;
    private final List<HistoryAnswers.Change> changes = new ArrayList<>();
    private final Set<String> versions = new HashSet<>();
    private boolean forgetting;

    PendingChanges(HistoryAnswers history, PreparedStatements.Memory memory) {
        this.history = history;
        this.memory = memory;
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    /** @throws ProblemException if versions are to be forgotten with this transaction */
    void requireNothingForgotten() {
        if (forgetting) {
            throw notBesideSql();
        }
    }

    /** Versions that are forgotten have no claim that ends with the transaction of other statements. */
    static ProblemException notBesideSql() {
        return Problem.of(
                        ProblemCode.SQL_FORBIDDEN_STATEMENT,
                        "A transaction forgets versions of the history, or runs other statements, not both.")
                .withHint("Delete from the history in a transaction of its own.")
                .asException();
    }

    /** @throws ProblemException if the change cannot be made, or is one too many */
    void add(AuthorizedCall authorized, HistoryAnswers.Change change) {
        if (versions.size() + change.versions().size() > MAX_VERSIONS
                || changes.size() >= MAX_VERSIONS
                || !memory.take(change.bytes())) {
            throw Problem.of(
                            ProblemCode.SQL_TOO_LARGE,
                            "The transaction changes more of the history of migrations than one may.")
                    .withHint("Use several transactions, with at most " + MAX_VERSIONS + " versions each.")
                    .asException();
        }
        changes.add(change);
        // A version that is changed twice is judged at the end, when the first change is known to hold.
        if (change.versions().stream().noneMatch(versions::contains)) {
            history.judge(authorized, change);
        }
        versions.addAll(change.versions());
        forgetting |= change.kind() == HistoryStatement.REVERT;
    }

    /** Ends the transaction. */
    void commit(AuthorizedCall authorized, SessionTransaction transaction) {
        if (changes.isEmpty()) {
            transaction.commit(authorized);
        } else {
            String text = changes.size() == 1
                    ? changes.getFirst().text()
                    : authorized.call().sql();
            history.commit(authorized.with(text), changes, transaction);
        }
    }

    int size() {
        return changes.size();
    }

    /** Forgets those that came behind a savepoint. @param first how many there were before */
    void returnTo(int first) {
        List<HistoryAnswers.Change> undone = changes.subList(first, changes.size());
        undone.forEach(change -> memory.giveBack(change.bytes()));
        undone.clear();
        versions.clear();
        changes.forEach(change -> versions.addAll(change.versions()));
        forgetting = changes.stream().anyMatch(change -> change.kind() == HistoryStatement.REVERT);
    }

    void forget() {
        returnTo(0);
    }
}
