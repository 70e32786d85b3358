package svc.postgres.flush;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import svc.postgres.SqlError;
import svc.postgres.TenantLogin;
import svc.postgres.pool.PooledConnection;

/**
 * Flushes of several callers of one login that write, in one write on one connection. Each is a transaction of its own,
 * which its Sync commits or, after an error, rolls back; the next begins by cleaning the session, see {@link
 * FlushText#writing}. The write-ahead log is flushed once: committed requests get their result when the last round,
 * which waits for the flush, has been answered. Until then others may see what they wrote, and a crash of the server may
 * lose it.
 *
 * <p>It differs from {@link ReadPipeline} in what must never happen, that a flush is done twice. So those behind one
 * that takes long, because it waits for a lock or has a slow trigger, wait for it: they cannot begin again elsewhere.
 * Only queries that were quick so far are taken along, and {@link #MAX_BATCH} is small. A flush is begun again only
 * where the server said that it was rolled back, or that it ended the session before.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The callers get the result of the last step.
final class WritePipeline implements FlushConnection.Rounds {
    /** So many in one write. */
    static final int MAX_BATCH = 8;

    private static final String QUERY_CANCELED = "57014";

    private final QueryTimes times;
    private final WatchedConnection connection;
    private final List<InFlightRequest> callers;

    /** Of each caller, and of the cleaning after the last. */
    private final List<FlushResult> results;

    private volatile int current;
    private volatile int lateRound = -1;
    private volatile long began;
    private final List<InFlightRequest> committed = new ArrayList<>();
    private boolean spoiled;

    /** @param lent clean */
    WritePipeline(
            ProjectPools pools,
            RequestTimeouts clock,
            QueryTimes times,
            PooledConnection<TenantLogin, FlushConnection> lent,
            List<InFlightRequest> callers) {
        this.times = times;
        this.callers = List.copyOf(callers);
        this.results = IntStream.rangeClosed(0, callers.size())
                .mapToObj(round -> round == callers.size() ? FlushResult.ofNoRow() : result(round))
                .toList();
        this.connection = new WatchedConnection(pools, clock, lent, this::late);
    }

    private FlushResult result(int round) {
        InFlightRequest caller = callers.get(round);
        return new FlushResult(
                FlushText.settingsOfShared(round) + 1 + caller.flush().before().size(), caller::payer);
    }

    void run() {
        callers.forEach(caller -> caller.carriedBy(() -> stop(caller)));
        began = System.nanoTime();
        try {
            connection
                    .session()
                    .pipeline(
                            FlushText.writing(
                                    callers.stream().map(InFlightRequest::flush).toList()),
                            this);
        } catch (RuntimeException e) {
            // One of them is too large to be sent: each by itself will find out.
            connection.end(true);
            callers.forEach(InFlightRequest::beginAlone);
            return;
        }
        stopIfGone(0);
    }

    @Override
    public FlushResult result() {
        return results.get(current);
    }

    @Override
    public void over(char transaction, SqlError refused) {
        int round = current;
        spoiled |= transaction != 'I' || (refused != null && !InFlightRequest.mendable(refused));
        if (round == callers.size()) {
            closed(refused);
            return;
        }
        long now = System.nanoTime();
        times.took(query(round), now - began);
        began = now;
        connection.restart();
        current = round + 1;
        if (round + 1 < callers.size()) {
            stopIfGone(round + 1);
        }
        InFlightRequest caller = callers.get(round);
        if (refused == null) {
            committed.add(caller);
        } else if (isOthersFault(round, refused)) {
            caller.repeat();
        } else {
            caller.refused(refused, results.get(round));
        }
    }

    /** The last round is over: once more, if a cancel or what a caller left behind hit it. */
    private void closed(SqlError refused) {
        if (refused == null) {
            finish(null);
        } else {
            connection
                    .session()
                    .sendUnprepared(FlushText.closing(), results.get(callers.size()))
                    .whenComplete((transaction, failure) -> finish(failure));
        }
    }

    private void finish(Throwable failure) {
        connection.end(!spoiled && failure == null);
        for (InFlightRequest caller : committed) {
            if (failure == null) {
                caller.succeed(results.get(callers.indexOf(caller)));
            } else {
                caller.fail(failure);
            }
        }
    }

    /** Whether it was rolled back for what another did, or before anything of the caller's ran. */
    private boolean isOthersFault(int round, SqlError refused) {
        boolean strayCancel = refused.sqlState().equals(QUERY_CANCELED)
                && connection.isCancelled()
                && round != lateRound
                && !callers.get(round).isCancelled();
        return strayCancel || results.get(round).completedStatements() <= FlushText.settingsOfShared(round);
    }

    /** The state of the rounds behind the running one is unknown, unless the server read no further. */
    @Override
    public void broken(SqlError why, SqlError lost, boolean ended) {
        connection.end(false);
        committed.forEach(caller -> caller.fail(lost));
        int at = current;
        if (at == callers.size()) {
            return;
        }
        boolean unread = ended || results.get(at).notSent();
        if (ended && results.get(at).nothingRan()) {
            callers.get(at).repeat();
        } else {
            callers.get(at).refused(why, results.get(at));
        }
        for (InFlightRequest behind : callers.subList(at + 1, callers.size())) {
            if (unread) {
                behind.repeat();
            } else {
                behind.fail(lost);
            }
        }
    }

    /** On the clock's thread. The rounds behind must wait; the measured time keeps that query out of later batches. */
    private void late() {
        int running = current;
        if (running < callers.size()) {
            lateRound = running;
            times.took(query(running), System.nanoTime() - began);
        }
    }

    private void stop(InFlightRequest caller) {
        int running = current;
        if (running < callers.size() && callers.get(running).equals(caller)) {
            connection.cancel();
        }
    }

    private void stopIfGone(int round) {
        if (callers.get(round).isCancelled()) {
            connection.cancel();
        }
    }

    private String query(int round) {
        return callers.get(round).flush().query().sql();
    }
}
