package svc.operator.database;

import io.agroal.api.AgroalDataSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import svc.operator.observe.Observation.DatabasePrepared;
import svc.operator.observe.Observer;

/**
 * The configured databases of this process. Nothing is connected to at the start: a database is prepared by the first
 * project that needs it, once per process, and until that has succeeded each try fails like any other SQL. So an operator
 * starts without a database, says so on its projects, and recovers by itself.
 */
public final class SharedDatabases implements AutoCloseable {
    private final Map<String, DataSource> byName = new LinkedHashMap<>();
    private final List<AgroalDataSource> pools = new ArrayList<>();
    private final String platformName;

    /**
     * @param platformName the one that holds the platform schema; prepared with {@code platform} after {@code shared}
     * @throws IllegalStateException when no database is configured, or none of the platform's name
     */
    public SharedDatabases(
            Collection<DatabaseLogin> logins,
            String platformName,
            DatabasePreparation shared,
            DatabasePreparation platform,
            Observer observer) {
        this.platformName = platformName;
        if (logins.stream().noneMatch(login -> login.name().equals(platformName))) {
            throw new IllegalStateException("no database is configured under svc.databases." + platformName
                    + ", which svc.platform-database names");
        }
        for (DatabaseLogin login : logins) {
            AgroalDataSource pool = ConnectionPool.open(login);
            pools.add(pool);
            DatabasePreparation whole = login.name().equals(platformName) ? shared.then(platform) : shared;
            var once =
                    new SingleFlight(() -> observer.observed(new DatabasePrepared(login.name(), whole.prepare(pool))));
            byName.put(login.name(), new PreparedDataSource(pool, once));
        }
    }

    /** All of them, by name, in the order of the configuration. */
    public Map<String, DataSource> byName() {
        return Collections.unmodifiableMap(byName);
    }

    /** The one that holds the platform schema. */
    public DataSource platform() {
        return byName.get(platformName);
    }

    public String platformName() {
        return platformName;
    }

    @Override
    public void close() {
        pools.forEach(AgroalDataSource::close);
    }
}
