package svc.postgres.termination;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import svc.postgres.Login;
import svc.postgres.SqlError;

/**
 * Ends sessions of projects in one database of the platform's, over one connection of its own, which no pool can refuse
 * and for which the server keeps a place. It asks again until none of them runs any more.
 */
public final class PlatformSessionEnder implements SessionEnder {
    private static final Logger LOG = Logger.getLogger(PlatformSessionEnder.class);

    /** A session needs a few milliseconds to end. */
    private static final Duration AGAIN = Duration.ofMillis(25);

    private static final Duration RETRY = Duration.ofMillis(500);

    /** The connection is closed when it was not needed for so long. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    /** What refuses the login for so long is not going to end a session: the database may have been removed. */
    private static final Duration REFUSED = Duration.ofMinutes(1);

    private final Login login;
    private final Map<Backend, CompletableFuture<Void>> ending = new ConcurrentHashMap<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean sweepDue = new AtomicBoolean();
    private final Duration longest;
    private volatile boolean closed;

    /**
     * @param login of {@code svc_catalog} in that database
     * @param longest what no transaction of any data plane takes
     */
    public PlatformSessionEnder(Login login, Duration longest) {
        this.login = login;
        this.longest = longest;
    }

    @Override
    public CompletableFuture<Void> end(Backend backend) {
        CompletableFuture<Void> gone = ending.computeIfAbsent(backend, unused -> new CompletableFuture<>());
        start();
        return gone;
    }

    /** Ends sessions whose process was gone before it could end them. */
    public void sweep() {
        sweepDue.set(true);
        start();
    }

    /** Begins nothing more. */
    public void close() {
        closed = true;
    }

    private void start() {
        if (!closed && running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("svc-db-end-sessions").start(this::work);
        }
    }

    private boolean hasWork() {
        return sweepDue.get() || !ending.isEmpty();
    }

    private void work() {
        try {
            long refusedSince = System.nanoTime();
            while (hasWork() && !closed) {
                try (PlatformSessions sessions = PlatformSessions.open(login)) {
                    refusedSince = System.nanoTime();
                    endAll(sessions);
                } catch (SQLException e) {
                    failed(SqlError.of(e), refusedSince);
                } catch (RuntimeException e) {
                    failed(e, refusedSince);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            running.set(false);
            if (hasWork()) {
                start();
            }
        }
    }

    private void endAll(PlatformSessions sessions) throws SQLException, InterruptedException {
        long idleSince = System.nanoTime();
        while (!closed && System.nanoTime() - idleSince < LINGER.toNanos()) {
            if (sweepDue.getAndSet(false)) {
                int ended = sessions.endOverdue(longest);
                if (ended > 0) {
                    LOG.warnf("ended %d sessions of %s that no process waited for any more", ended, login.jdbcUrl());
                }
            }
            List<Backend> asked = new ArrayList<>(ending.keySet());
            if (!asked.isEmpty()) {
                Set<Integer> still = sessions.end(asked);
                asked.stream().filter(backend -> !still.contains(backend.pid())).forEach(this::gone);
                idleSince = System.nanoTime();
            }
            Thread.sleep(AGAIN);
        }
    }

    private void gone(Backend backend) {
        CompletableFuture<Void> waiting = ending.remove(backend);
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    /** Tries again later; gives up where it is certain that it will not help. */
    private void failed(RuntimeException why, long since) throws InterruptedException {
        // An older operator prepared the database, or this process has no key for the login.
        boolean missing = !(why instanceof SqlError absent) || absent.is("42883");
        boolean refused = why instanceof SqlError error
                && (error.sqlState().startsWith("28") || error.sqlState().startsWith("3D"))
                && System.nanoTime() - since > REFUSED.toNanos();
        if (missing || refused) {
            LOG.warnf("sessions of %s cannot be ended: %s", login.jdbcUrl(), why.getMessage());
            sweepDue.set(false);
            new HashMap<>(ending).keySet().forEach(this::gone);
        } else {
            LOG.debugf(why, "while ending sessions of %s", login.jdbcUrl());
            Thread.sleep(RETRY);
        }
    }
}
