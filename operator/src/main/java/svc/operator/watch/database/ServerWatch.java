package svc.operator.watch.database;

import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.database.name.ProjectNames;
import svc.operator.database.DatabaseLogin;
import svc.operator.watch.WatchListener;
import svc.operator.watch.WatchSettings;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.WatchJudge;

/**
 * Watches the tenants of one shared database over a connection of its own, until it is closed. Of all watches on a database the
 * one with the oldest session leads, so a leader needs neither a lock, which a tenant can make unavailable, nor the Kubernetes
 * API; the others look once a second whether it is still there.
 */
public final class ServerWatch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ServerWatch.class);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    private static final long CHORES_NANOS = Duration.ofSeconds(1).toNanos();

    /** A pass may take a tenth of a processor, however many locks it has to count. */
    private static final int REST = 9;

    private static final Duration MAX_REST = Duration.ofSeconds(1);

    private final DatabaseLogin login;
    private final WatchSettings settings;
    private final WatchListener listener;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Set<String> quarantined = new HashSet<>();
    private WatchJudge judge;
    private long lockCapacity;
    private boolean failing;

    public ServerWatch(DatabaseLogin login, WatchSettings settings, WatchListener listener, InstantSource clock) {
        this.login = login;
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
    }

    /** Watches in the background; connects again whenever the connection breaks. */
    public void start() {
        Thread.ofVirtual().name("watch-" + login.name()).start(() -> {
            try {
                do {
                    watch();
                } while (!closing.await(RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void watch() throws InterruptedException {
        try (var connection = WatchConnection.open(login)) {
            judgeFor(connection.lockCapacity());
            boolean leads = false;
            long chores = System.nanoTime() - CHORES_NANOS;
            Map<Integer, Long> temporaryFiles = Map.of();
            Duration rest;
            do {
                long begun = System.nanoTime();
                if (begun - chores >= CHORES_NANOS) {
                    chores = begun;
                    leads = connection.leads();
                    tellQuarantines(connection.quarantined());
                    temporaryFiles = leads ? connection.activity().temporaryFiles() : Map.of();
                }
                if (leads) {
                    pass(connection, temporaryFiles, chores == begun);
                }
                failing = false;
                rest = rest(leads, System.nanoTime() - begun);
            } while (!closing.await(rest.toMillis(), TimeUnit.MILLISECONDS));
        } catch (SQLException | RuntimeException e) {
            // An unreadable password file is no SQLException. Warns once: an unreachable server fails every time.
            LOG.logf(
                    failing ? Logger.Level.DEBUG : Logger.Level.WARN,
                    e,
                    "The watch on database %s failed; it connects again every second",
                    login.name());
            failing = true;
        }
    }

    /** Keeps what it remembers of projects when only the connection is new. */
    private void judgeFor(long capacity) {
        if (judge == null || capacity != lockCapacity) {
            lockCapacity = capacity;
            judge = new WatchJudge(settings.limits(capacity));
        }
    }

    private void pass(WatchConnection connection, Map<Integer, Long> temporaryFiles, boolean withWal)
            throws SQLException {
        var sample = connection.activity().sample(temporaryFiles, settings.maintenanceTime());
        if (withWal) {
            sample = sample.with(connection.activity().walWritten());
        }
        for (Action action : judge.judge(sample, clock.instant())) {
            act(connection, action);
            listener.acted(login.name(), action);
        }
    }

    private void act(WatchConnection connection, Action action) throws SQLException {
        switch (action) {
            case Action.Cancel cancel -> connection.cancel(cancel.process());
            case Action.Terminate terminate -> connection.terminate(terminate.process());
            case Action.StopMaintenance stop -> stopMaintenance(connection, stop);
            // The listener closes logins over another connection: that may wait.
            case Action.Quarantine closed -> {}
            case Action.Warn reported -> {}
            case Action.ReportStuck reported -> {}
        }
    }

    /** When the table is locked, the next worker is ended as well, and this is tried again. */
    private void stopMaintenance(WatchConnection connection, Action.StopMaintenance stop) {
        try {
            connection.stopMaintenance(stop.table());
        } catch (SQLException e) {
            LOG.infof("Maintenance of a table in database %s goes on: SQLSTATE %s", login.name(), e.getSQLState());
        }
    }

    private void tellQuarantines(List<String> now) {
        Set<String> changed = new HashSet<>(now);
        changed.removeAll(quarantined);
        quarantined.stream().filter(before -> !now.contains(before)).forEach(changed::add);
        quarantined.clear();
        quarantined.addAll(now);
        changed.forEach(schema -> ProjectNames.projectIdIn(schema).ifPresent(listener::quarantineChanged));
    }

    private Duration rest(boolean leads, long tookNanos) {
        Duration least = leads ? settings.interval() : MAX_REST;
        Duration fair = Duration.ofNanos(tookNanos * REST);
        Duration rest = fair.compareTo(least) > 0 ? fair : least;
        return rest.compareTo(MAX_REST) > 0 ? MAX_REST : rest;
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
