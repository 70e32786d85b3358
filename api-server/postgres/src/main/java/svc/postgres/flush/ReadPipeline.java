package svc.postgres.flush;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import svc.postgres.SqlError;
import svc.postgres.TenantLogin;
import svc.postgres.pool.PooledConnection;
import svc.postgres.wire.Conversation;

/**
 * Flushes of several callers of one login, in one write on one connection: what libpq calls pipeline mode. Each is a
 * transaction of its own with its own Sync, so that what fails in one does not touch the next, and each is rolled back
 * and leaves nothing ({@link FlushText#leavesNothing}), so that the next begins in a clean session. It saves what a busy
 * server spends on waiting for its next question, and us a read and a write for each.
 *
 * <p>Only callers that would have waited for a connection are taken along, and only with queries that were quick so far.
 * When one takes long all the same, those behind it begin again elsewhere, and the server's answers to them here are
 * dropped. They only read.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The connection's return needs no waiting.
final class ReadPipeline implements FlushConnection.Rounds {
    /** So many in one write. */
    static final int MAX_BATCH = 8;

    /** What the server says of the transaction after a round, see {@link Conversation#ready}. */
    private static final char ENDED = 'I';

    private static final char OPEN = 'T';
    private static final char FAILED = 'E';

    private final QueryTimes times;
    private final WatchedConnection connection;
    private final List<Flush> flushes;
    private final List<FlushResult> results;

    /** The caller of each round; null once it has its result. */
    private final AtomicReferenceArray<InFlightRequest> callers;

    private volatile int current;
    private volatile boolean late;
    private volatile long began;
    private boolean spoiled;

    /** @param lent clean */
    ReadPipeline(
            ProjectPools pools,
            RequestTimeouts clock,
            QueryTimes times,
            PooledConnection<TenantLogin, FlushConnection> lent,
            List<InFlightRequest> callers) {
        this.times = times;
        this.flushes = callers.stream().map(InFlightRequest::flush).toList();
        this.results = IntStream.range(0, callers.size())
                .mapToObj(round -> result(round, callers.get(round)))
                .toList();
        this.callers = new AtomicReferenceArray<>(callers.toArray(new InFlightRequest[0]));
        this.connection = new WatchedConnection(pools, clock, lent, this::late);
    }

    private static FlushResult result(int round, InFlightRequest caller) {
        int settings = FlushText.settingsOfRead(round);
        return new FlushResult(settings, settings + 1 + caller.flush().before().size(), caller::payer);
    }

    void run() {
        for (int round = 0; round < flushes.size(); round++) {
            InFlightRequest caller = callers.get(round);
            caller.carriedBy(() -> cancel(caller));
        }
        began = System.nanoTime();
        try {
            connection.session().pipeline(FlushText.reading(flushes), this);
        } catch (RuntimeException e) {
            unsendable(e);
            return;
        }
        if (flushes.size() == 1) {
            InFlightRequest caller = callers.get(0);
            if (caller != null && caller.isCancelled()) {
                connection.cancel();
            }
        }
    }

    @Override
    public FlushResult result() {
        return results.get(current);
    }

    @Override
    public void over(char transaction, SqlError refused) {
        int round = current;
        FlushResult result = results.get(round);
        long now = System.nanoTime();
        times.took(query(round), now - began);
        began = now;
        boolean last = round + 1 == flushes.size();
        spoiled |= refused == null
                ? transaction != (last ? ENDED : OPEN)
                : transaction != FAILED || result.answered() || !InFlightRequest.mendable(refused);
        InFlightRequest caller = callers.getAndSet(round, null);
        if (last) {
            close(refused);
        } else {
            current = round + 1;
        }
        if (caller == null) {
            return;
        }
        if (refused == null || result.answered()) {
            // Where only the rollback failed, the request did not.
            caller.succeed(result);
        } else if (isOthersFault(round)) {
            caller.repeat();
        } else {
            caller.refused(refused, result);
        }
    }

    /** Returns the connection, after a rollback where the last round failed before its own. */
    private void close(SqlError refused) {
        if (spoiled || refused == null) {
            connection.end(!spoiled);
            return;
        }
        connection
                .session()
                .send(FlushText.rollback(), FlushResult.ofNoRow())
                .whenComplete((transaction, failure) -> connection.end(failure == null && transaction == ENDED));
    }

    /** Whether it failed under what the one before left, its timeouts for example: its rollback was not done. */
    private boolean isOthersFault(int round) {
        return round > 0 && results.get(round).completedStatements() == 0;
    }

    @Override
    public void broken(SqlError why, SqlError lost, boolean ended) {
        connection.end(false);
        int at = current;
        for (int round = at; round < flushes.size(); round++) {
            InFlightRequest caller = callers.getAndSet(round, null);
            if (caller != null && round == at && !isOthersFault(at)) {
                caller.refused(why, results.get(round));
            } else if (caller != null) {
                caller.repeat();
            }
        }
    }

    /** One of them is too large to be sent: each by itself will find out. */
    private void unsendable(RuntimeException why) {
        connection.end(true);
        for (int round = 0; round < flushes.size(); round++) {
            InFlightRequest caller = callers.getAndSet(round, null);
            if (flushes.size() == 1) {
                caller.fail(why);
            } else {
                caller.beginAlone();
            }
        }
    }

    /** On the clock's thread: those behind the one that runs need not wait for it. */
    private void late() {
        late = true;
        int running = current;
        for (int round = running + 1; round < flushes.size(); round++) {
            InFlightRequest caller = callers.getAndSet(round, null);
            if (caller != null) {
                caller.begin();
            }
        }
        InFlightRequest caller = callers.get(running);
        if (caller != null) {
            times.took(query(running), System.nanoTime() - began);
            if (caller.isCancelled()) {
                connection.cancel();
            }
        }
    }

    /** A cancel hits whatever runs: it is sent when no other caller can be meant. */
    private void cancel(InFlightRequest caller) {
        boolean onlyOne = flushes.size() == 1 || late;
        if (onlyOne && callers.get(current) == caller) {
            connection.cancel();
        }
    }

    private String query(int round) {
        return flushes.get(round).query().sql();
    }
}
