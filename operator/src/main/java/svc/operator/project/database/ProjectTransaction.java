package svc.operator.project.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import svc.database.name.ProjectNames;
import svc.database.project.Observation;
import svc.database.project.ObservationQuery;
import svc.database.project.SqlStep;

/**
 * One transaction on one project. It holds the project's advisory lock, so that a leader and its successor never interleave,
 * runs with a fixed environment, and is rolled back unless {@link #commit} is reached.
 */
final class ProjectTransaction implements AutoCloseable {
    /**
     * What the session must not leave to chance: names are pg_catalog's, definitions print qualified, the guard against
     * tenants' DDL does not look at the platform's, no waiting for ever, and errors speak English because the failing line
     * is read from their context. The planner cannot know how few names are looked up, so it is told to go through indexes:
     * otherwise it reads catalogs whole, all tenants' rows included. Event triggers can be switched off from 17 on. Who
     * is no superuser cannot, nor choose the language of errors: then a failing step may go without its name.
     */
    private static final String ENVIRONMENT = """
            SELECT set_config('search_path', 'pg_catalog', true),
                CASE WHEN current_setting('is_superuser') = 'on' THEN set_config('lc_messages', 'C', true) END,
                set_config('client_min_messages', 'warning', true), set_config('lock_timeout', '10s', true),
                set_config('statement_timeout', '60s', true), set_config('row_security', 'on', true),
                set_config('standard_conforming_strings', 'on', true), set_config('default_tablespace', '', true),
                set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
                set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
                CASE WHEN current_setting('server_version_num')::int >= 170000 AND current_setting('is_superuser') = 'on'
                    THEN set_config('event_triggers', 'off', true) END;
            """;

    private static final String LOCK = "SELECT pg_advisory_xact_lock(?);";

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
     * Finds out what is true without the lock, in one round trip that is a transaction by itself. Enough to see that nothing
     * has changed: what another operator has not committed is not seen.
     */
    static Observation glance(DataSource database, ObservationQuery query) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(ENVIRONMENT + query.sql().sql())) {
            bind(statement, query, 1);
            statement.execute();
            skipResults(statement, 1);
            try (ResultSet rows = statement.getResultSet()) {
                return observation(rows);
            }
        }
    }

    /** Takes the lock and finds out what is true, in one round trip. The lock comes first: the snapshot is taken after it. */
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

    /** Takes the lock and looks whether there is anything of the project at all. */
    boolean findsTraces() throws SQLException {
        try (PreparedStatement statement = afterLocking(ObservationQuery.ofTraces(names));
                ResultSet row = statement.getResultSet()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** The statement, executed, with the query's rows as its result. */
    private PreparedStatement afterLocking(ObservationQuery query) throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(ENVIRONMENT + LOCK + query.sql().sql());
        try {
            statement.setLong(1, lockKey());
            bind(statement, query, 2);
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

    /** Takes the lock without looking. */
    void lock() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ENVIRONMENT + LOCK)) {
            statement.setLong(1, lockKey());
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
            // After a commit this ends nothing; otherwise it undoes all. A pooled connection goes back clean.
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
