package svc.operator.project.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import svc.database.loop.ProjectLoop;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.project.Observation;
import svc.database.project.ObservationQuery;
import svc.database.project.Quarantine;
import svc.database.project.SqlStep;

/**
 * One transaction on one project. It holds the project's advisory lock, so that a leader and its successor never interleave, runs
 * with a fixed environment, and rolls back unless {@link #commit} is called.
 */
final class ProjectTransaction implements AutoCloseable {
    /**
     * Session settings that must not depend on the server: names resolve to pg_catalog, definitions print qualified, the
     * guard against tenants' DDL ignores the platform's, timeouts apply, and errors are in English because the failing step
     * is parsed from their context. The planner cannot know how few names are looked up, so it is forced to use indexes:
     * otherwise it scans whole catalogs, including all tenants' rows. Event triggers can be disabled from PostgreSQL 17 on.
     * Without superuser neither they nor the language of errors can be set: then a failing step may lack its name.
     *
     * <p>Nothing bounds how long a tenant holds its locks, so none is waited for: the transaction fails and is repeated
     * later. Autovacuum gives its locks up when they are waited for longer than the deadlock_timeout.
     */
    private static final String ENVIRONMENT = """
            SELECT set_config('search_path', 'pg_catalog', true),
                CASE WHEN current_setting('is_superuser') = 'on' THEN set_config('lc_messages', 'C', true) END,
                CASE WHEN current_setting('is_superuser') = 'on' THEN set_config('deadlock_timeout', '50ms', true) END,
                set_config('client_min_messages', 'warning', true), set_config('lock_timeout', '%s', true),
                set_config('statement_timeout', '60s', true), set_config('row_security', 'on', true),
                set_config('standard_conforming_strings', 'on', true), set_config('default_tablespace', '', true),
                set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
                set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
                CASE WHEN current_setting('server_version_num')::int >= 170000 AND current_setting('is_superuser') = 'on'
                    THEN set_config('event_triggers', 'off', true) END;
            """;

    private static final String UNLOCKED = ENVIRONMENT.formatted(ProjectLoop.LOCK_TIMEOUT);

    /** Only operators take the advisory lock, and each gives it back soon: this is waited for longer. */
    private static final String LOCKED =
            ENVIRONMENT.formatted("10s") + "SELECT set_config('lock_timeout', ?, true) FROM pg_advisory_xact_lock(?);";

    /** While sessions of a project that is removed come to their end. */
    private static final String REMOVAL_LOCK_TIMEOUT = "2s";

    private final Connection connection;
    private final ProjectNames names;

    private ProjectTransaction(Connection connection, ProjectNames names) {
        this.connection = connection;
        this.names = names;
    }

    static ProjectTransaction begin(DataSource database, ProjectNames names) throws SQLException {
        Connection connection = database.getConnection();
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return new ProjectTransaction(connection, names);
    }

    /**
     * Reads the project's facts without the lock, in one round trip and its own transaction. Enough to detect that nothing
     * changed: it does not see uncommitted changes of another operator.
     */
    static Observation observeUnlocked(DataSource database, ObservationQuery query) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(UNLOCKED + query.sql().sql())) {
            bind(statement, query, 1);
            statement.execute();
            skipResults(statement, 1);
            try (ResultSet rows = statement.getResultSet()) {
                return observation(rows);
            }
        }
    }

    /** Takes the lock and reads the project's facts, in one round trip. Lock first, so that the snapshot is newer than it. */
    Observation observe(ObservationQuery query) throws SQLException {
        try (PreparedStatement statement = afterLocking(query);
                ResultSet rows = statement.getResultSet()) {
            return observation(rows);
        }
    }

    private static Observation observation(ResultSet rows) throws SQLException {
        var read = new Observation.Rows();
        while (rows.next()) {
            read.add(rows.getString(1), rows.getString(2), rows.getString(3));
        }
        return read.observation();
    }

    /** Takes the lock and checks whether any object of the project exists. */
    boolean findsTraces() throws SQLException {
        try (PreparedStatement statement = afterLocking(ObservationQuery.ofTraces(names));
                ResultSet row = statement.getResultSet()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** Returns the executed statement with the query's rows as its result. */
    private PreparedStatement afterLocking(ObservationQuery query) throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(LOCKED + query.sql().sql());
        try {
            statement.setString(1, ProjectLoop.LOCK_TIMEOUT);
            statement.setLong(2, lockKey());
            bind(statement, query, 3);
            statement.execute();
            skipResults(statement, 2);
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, ObservationQuery query, int first) throws SQLException {
        int place = first;
        for (List<String> names : query.parameters()) {
            statement.setArray(place++, statement.getConnection().createArrayOf("text", names.toArray()));
        }
    }

    /** Why the project is in quarantine; empty when it is not, and in a database that is no shared one. */
    Optional<String> quarantine() throws SQLException {
        if (names.layout() != Layout.SHARED) {
            return Optional.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(Quarantine.message(names).sql())) {
            return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
        }
    }

    /** Takes the lock without reading facts. */
    void lock() throws SQLException {
        lock(ProjectLoop.LOCK_TIMEOUT);
    }

    /** Takes the lock without reading facts, to remove the project. */
    void lockForRemoval() throws SQLException {
        lock(REMOVAL_LOCK_TIMEOUT);
    }

    private void lock(String lockTimeout) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOCKED)) {
            statement.setString(1, lockTimeout);
            statement.setLong(2, lockKey());
            statement.execute();
        }
    }

    void run(StepRunner runner, List<SqlStep> steps) throws SQLException {
        runner.run(connection, steps);
    }

    void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            // No effect after a commit; otherwise undoes everything. A pooled connection is returned clean.
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private long lockKey() {
        return names.projectId().getMostSignificantBits() ^ names.projectId().getLeastSignificantBits();
    }

    private static void skipResults(Statement statement, int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            statement.getMoreResults();
        }
    }
}
