package svc.operator.database;

import io.agroal.api.AgroalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.database.shared.ServiceRequests.ServiceRequest;
import svc.operator.observe.Observation.DatabasePrepared;
import svc.operator.observe.Observer;

/**
 * The configured databases of this process. The first caller prepares a database, once per process; until that succeeds,
 * every attempt fails like any other SQL. So the operator starts without a database, reports it on its projects, and
 * recovers without a restart.
 */
public final class SharedDatabases implements AutoCloseable {
    private static final Duration PREPARATION_RETRY_INTERVAL = Duration.ofSeconds(2);

    /** Fewer than the connections of a database's pool, which reconciliations need as well. */
    private static final RunnerSettings WORK = RunnerSettings.of(4, 2, Duration.ofSeconds(10));

    private final Map<String, DataSource> byName = new LinkedHashMap<>();
    private final List<DatabaseLogin> logins;
    private final List<AgroalDataSource> pools = new ArrayList<>();
    private final List<ProjectRunner> runners = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final String platformName;

    /**
     * @param logins in the order in which equally loaded databases are chosen
     * @param platformName the database that holds the platform schema
     * @param bootstraps prepares each database once
     * @throws IllegalStateException when no database is configured under the platform's name
     */
    public SharedDatabases(
            List<DatabaseLogin> logins,
            String platformName,
            Function<DatabaseLogin, DatabaseBootstrap> bootstraps,
            Observer observer) {
        if (logins.stream().noneMatch(login -> login.name().equals(platformName))) {
            throw new IllegalStateException("no database is configured under svc.databases." + platformName
                    + ", which svc.platform-database names");
        }
        this.platformName = platformName;
        this.logins = List.copyOf(logins);
        for (DatabaseLogin login : logins) {
            AgroalDataSource pool = ConnectionPool.open(login);
            pools.add(pool);
            DatabaseBootstrap bootstrap = bootstraps.apply(login);
            var once = new SingleFlight(
                    () -> observer.observed(new DatabasePrepared(login.name(), bootstrap.prepare(pool))));
            byName.put(login.name(), new PreparedDataSource(pool, once));
        }
    }

    /** One of them; empty if none is configured under that name. */
    public Optional<DataSource> database(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The one that holds the platform schema. */
    public DataSource platform() {
        return byName.get(platformName);
    }

    /**
     * Returns when the one that holds the platform schema is prepared.
     *
     * @throws IllegalStateException when that fails
     */
    public void awaitPlatform() {
        try {
            platform().getConnection().close();
        } catch (SQLException e) {
            throw new IllegalStateException("while preparing the platform's database", e);
        }
    }

    /**
     * Prepares all databases in the background, with retries: the control plane needs the platform schema before the first
     * project. Then maintains their realtime publications and provisions requested services, until this is closed.
     *
     * @param provision creates the tables of a service for a project; throws when it cannot
     */
    public void prepareInBackground(Consumer<ServiceRequest> provision) {
        logins.forEach(login -> Thread.ofVirtual()
                .name("prepare-database-" + login.name())
                .start(() -> prepareAndMaintain(login, byName.get(login.name()), provision)));
    }

    private void prepareAndMaintain(DatabaseLogin login, DataSource database, Consumer<ServiceRequest> provision) {
        try {
            if (isPrepared(database)) {
                var runner = new ProjectRunner("database-" + login.name(), WORK);
                runners.add(runner);
                new ServiceProvisioner(login, database, runner, provision).start();
                new PublicationReconciler(login.name(), database, runner).start();
                if (closing.getCount() == 0) {
                    runner.close();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Blocks until the database is prepared; returns false when this is closed first. */
    private boolean isPrepared(DataSource database) throws InterruptedException {
        do {
            try (Connection prepared = database.getConnection()) {
                return true;
            } catch (SQLException | RuntimeException e) {
                // Callers that need the database get the same failure and report it; this only retries. An unreadable
                // password file is no SQLException, and must not end this thread.
            }
        } while (!closing.await(PREPARATION_RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
        return false;
    }

    @Override
    public void close() {
        closing.countDown();
        runners.forEach(ProjectRunner::close);
        pools.forEach(AgroalDataSource::close);
    }
}
