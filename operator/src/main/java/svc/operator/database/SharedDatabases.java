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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import svc.database.shared.ServiceRequests.Wish;
import svc.operator.observe.Observation.DatabasePrepared;
import svc.operator.observe.Observer;

/**
 * The configured databases of this process. A database is prepared once per process, by whoever needs it first, and until
 * that has succeeded each try fails like any other SQL. So an operator starts without a database, says so on its projects,
 * and recovers by itself.
 */
public final class SharedDatabases implements AutoCloseable {
    private static final Duration PREPARATION_PAUSE = Duration.ofSeconds(2);

    private final Map<String, DataSource> byName = new LinkedHashMap<>();
    private final List<DatabaseLogin> logins;
    private final List<AgroalDataSource> pools = new ArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final String platformName;

    /**
     * @param logins in the order in which equally loaded databases are chosen
     * @param platformName the one that holds the platform schema
     * @param preparations what each of them needs once
     * @throws IllegalStateException when no database is configured under the platform's name
     */
    public SharedDatabases(
            List<DatabaseLogin> logins,
            String platformName,
            Function<DatabaseLogin, DatabaseBootstrap> preparations,
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
            DatabaseBootstrap preparation = preparations.apply(login);
            var once = new SingleFlight(
                    () -> observer.observed(new DatabasePrepared(login.name(), preparation.prepare(pool))));
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
     * Prepares all of them without waiting for a project, and tries again until each is prepared: the control plane needs
     * the platform's tables before there is any project. Then keeps their realtime publications, and the tables of services
     * that projects begin to use, until this is closed.
     *
     * @param fulfil makes the tables of a project that begins to use a service; throws when it cannot
     */
    public void prepareInBackground(Consumer<Wish> fulfil) {
        logins.forEach(login -> Thread.ofVirtual()
                .name("prepare-database-" + login.name())
                .start(() -> prepareAndKeep(login, byName.get(login.name()), fulfil)));
    }

    private void prepareAndKeep(DatabaseLogin login, DataSource database, Consumer<Wish> fulfil) {
        try {
            if (isPrepared(database)) {
                Thread.ofVirtual()
                        .name("services-of-database-" + login.name())
                        .start(() -> keepServices(new ServiceProvisioner(login, database, fulfil)));
                new PublicationReconciler(login.name(), database).keepUntil(closing);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepServices(ServiceProvisioner keeper) {
        try {
            keeper.keepUntil(closing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until it is; false when this is closed before. */
    private boolean isPrepared(DataSource database) throws InterruptedException {
        do {
            try (Connection prepared = database.getConnection()) {
                return true;
            } catch (SQLException e) {
                // Whoever needs the database meets the same failure and reports it; this only has to go on trying.
            }
        } while (!closing.await(PREPARATION_PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        return false;
    }

    @Override
    public void close() {
        closing.countDown();
        pools.forEach(AgroalDataSource::close);
    }
}
