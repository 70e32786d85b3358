package svc.management.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import svc.management.query.AuthorizedCall;
import svc.management.query.SessionCalls;
import svc.management.query.SessionCalls.Beginning;
import svc.management.query.SessionTransaction;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * The transaction of a session, as PostgreSQL's protocol has it: one that its client has begun, or the one of a batch; with
 * its savepoints, and with settings and changes of the history that hold with its commit only.
 */
final class ClientTransaction {
    private final SessionCalls calls;
    private final ClientSettings settings;
    private final PendingChanges pending;
    private final boolean neverWrites;
    private final List<Mark> marks = new ArrayList<>();
    private Optional<SessionTransaction> open = Optional.empty();
    private Optional<ClientSettings.Snapshot> before = Optional.empty();
    private TransactionModes following = TransactionModes.NONE;
    private TransactionModes modes = TransactionModes.NONE;
    private boolean begun;
    private boolean failed;

    /** What to return to with a savepoint. */
    private record Mark(ClientSettings.Snapshot settings, int changes) {}

    ClientTransaction(SessionCalls calls, ClientSettings settings, PendingChanges pending, boolean neverWrites) {
        this.calls = calls;
        this.settings = settings;
        this.pending = pending;
        this.neverWrites = neverWrites;
    }

    /** I, T or E, as ReadyForQuery has it. */
    char status() {
        if (!begun) {
            return 'I';
        }
        return failed ? 'E' : 'T';
    }

    boolean begun() {
        return begun;
    }

    boolean failed() {
        return failed;
    }

    /** Whether none is open, not even that of a batch. */
    boolean none() {
        return !begun && open.isEmpty();
    }

    /** The one that has reached the database. */
    Optional<SessionTransaction> touched() {
        return open.filter(transaction -> !transaction.untouched());
    }

    /** The one that is open, or is now. */
    SessionTransaction opened() {
        if (open.isEmpty() || open.get().untouched()) {
            open.ifPresent(SessionTransaction::close);
            open = Optional.of(calls.begin(beginning()));
        }
        if (before.isEmpty()) {
            before = Optional.of(settings.snapshot());
        }
        return open.get();
    }

    /** How a transaction, or a statement by itself, begins now. */
    Beginning beginning() {
        TransactionModes all = modes.or(following);
        return new Beginning(neverWrites || all.readOnly().orElse(false), settings.forServer(all));
    }

    boolean readOnly() {
        return beginning().readOnly();
    }

    void begin(TransactionModes wanted) {
        if (begun) {
            // PostgreSQL warns, and goes on.
            return;
        }
        requireUntouched(wanted, "The batch has begun its transaction already.", "Send BEGIN as its first statement.");
        modes = wanted;
        begun = true;
        before = Optional.of(settings.snapshot());
    }

    /** SET TRANSACTION; outside of one it has no effect, as in PostgreSQL. */
    void change(TransactionModes wanted) {
        if (begun) {
            requireUntouched(
                    wanted,
                    "SET TRANSACTION must be called before any query",
                    "Send it behind BEGIN, or name the modes in BEGIN.");
            modes = wanted.or(modes);
        }
    }

    /** SET SESSION CHARACTERISTICS. */
    void follow(TransactionModes wanted) {
        following = wanted.or(following);
    }

    /** Transactions that follow begin as at the session's beginning. */
    void followNone() {
        following = TransactionModes.NONE;
    }

    private void requireUntouched(TransactionModes wanted, String message, String hint) {
        TransactionModes now = modes.or(following);
        if (touched().isPresent() && !wanted.or(now).equals(now)) {
            throw Problem.of(ProblemCode.SQL_FORBIDDEN_STATEMENT, message)
                    .withHint(hint)
                    .with("sqlstate", "25001")
                    .asException();
        }
    }

    void setSavepoint(AuthorizedCall authorized, String name) {
        requireBegun("SAVEPOINT");
        opened().setSavepoint(authorized, name);
        marks.add(new Mark(settings.snapshot(), pending.size()));
    }

    void release(AuthorizedCall authorized, String name) {
        requireBegun("RELEASE SAVEPOINT");
        int number = opened().releaseSavepoint(authorized, name);
        marks.subList(number, marks.size()).clear();
    }

    void returnTo(AuthorizedCall authorized, String name) {
        requireBegun("ROLLBACK TO SAVEPOINT");
        int number = opened().returnToSavepoint(authorized, name);
        marks.subList(number + 1, marks.size()).clear();
        settings.restore(marks.get(number).settings());
        pending.returnTo(marks.get(number).changes());
        failed = false;
    }

    private void requireBegun(String statement) {
        if (!begun) {
            throw Problem.of(ProblemCode.SQL_ERROR, statement + " can only be used in transaction blocks")
                    .withHint("Send BEGIN first.")
                    .with("sqlstate", "25P01")
                    .asException();
        }
    }

    /**
     * Ends it.
     *
     * @param authorized the call that commits; asked for only where there is something to commit
     * @return the tag: ROLLBACK for one that has failed
     * @throws ProblemException if it could not be committed
     */
    String commit(Supplier<AuthorizedCall> authorized) {
        boolean commits = !failed;
        Optional<ClientSettings.Snapshot> kept = Optional.empty();
        try {
            if (commits) {
                if (open.isPresent()) {
                    pending.commit(authorized.get(), open.get());
                    open = Optional.empty();
                }
                kept = Optional.of(settings.snapshot());
            }
            return commits ? "COMMIT" : "ROLLBACK";
        } finally {
            end();
            kept.ifPresent(settings::restore);
            settings.endTransaction();
        }
    }

    /** After an error: one that was begun waits for a return to a savepoint, or for its end. */
    void abort() {
        if (begun && open.filter(SessionTransaction::mayReturn).isPresent()) {
            failed = true;
            return;
        }
        boolean waits = begun;
        TransactionModes waiting = modes;
        end();
        begun = waits;
        failed = waits;
        modes = waits ? waiting : TransactionModes.NONE;
    }

    /** Rolls back. */
    void end() {
        open.ifPresent(SessionTransaction::close);
        open = Optional.empty();
        marks.clear();
        pending.forget();
        before.ifPresent(settings::restore);
        before = Optional.empty();
        settings.endTransaction();
        modes = TransactionModes.NONE;
        begun = false;
        failed = false;
    }
}
