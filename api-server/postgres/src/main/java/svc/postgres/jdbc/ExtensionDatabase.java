package svc.postgres.jdbc;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.postgresql.jdbc.PgConnection;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.Login;
import svc.postgres.Row;
import svc.postgres.SqlError;
import svc.postgres.Statements;
import svc.postgres.pool.PoolSettings;

/**
 * The jobs and HTTP requests of all projects of one shared database (schemas {@code svc_cron} and {@code svc_net}), through the
 * login {@code svc_extensions}, which has rights on these tables alone. A tenant may hold locks on rows of its own for as long as
 * its transactions take: statements must pass over locked rows.
 */
public final class ExtensionDatabase implements Statements, AutoCloseable {
    /** The platform login of the worker. */
    public static final String LOGIN = "svc_extensions";

    private static final SqlFragment TAKE_LEAD = SqlFragment.of("SELECT svc_cron.take_lead()");

    /** The answer of a lead's connection; one that does not answer is given up, and its lock ends with it. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private static final int TRIAL_SECONDS = 3;

    private final Login login;
    private final LoginPool pool;

    /**
     * Opens nothing yet.
     *
     * @param password derives the password of {@link #LOGIN}; asked for each new connection
     */
    public ExtensionDatabase(DatabaseAddress database, Supplier<String> password, PoolSettings settings) {
        this.login = new Login(database.forPlatformLogins().jdbcUrl(), LOGIN, password);
        this.pool = new LoginPool(settings, login);
    }

    @Override
    public <T> List<T> query(SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        return pool.run(statements -> statements.query(sql, reader, binds));
    }

    @Override
    public int update(SqlFragment sql, Object... binds) {
        return pool.run(statements -> statements.update(sql, binds));
    }

    /** Runs {@code work} in one transaction: committed when it returns, rolled back when it throws. */
    public <T> T transaction(Function<Statements, T> work) {
        return pool.transaction(work);
    }

    /**
     * Takes the lead of this database, which one process has at a time.
     *
     * @return empty while another one has it
     * @throws SqlError when the database is unreachable
     */
    public Optional<Lead> lead() {
        PgConnection connection = login.open(ANSWER_LIMIT);
        boolean taken = false;
        try {
            taken = new ConnectionStatements(connection)
                    .query(TAKE_LEAD, row -> row.flag("take_lead"))
                    .getFirst();
            return taken ? Optional.of(new Lead(connection)) : Optional.empty();
        } finally {
            if (!taken) {
                new JdbcConnection(connection).close();
            }
        }
    }

    /** The lead of a database: a lock of its connection's session. */
    public static final class Lead implements AutoCloseable {
        private final PgConnection connection;

        private Lead(PgConnection connection) {
            this.connection = connection;
        }

        /** Whether the session still lives; asks the server. */
        public boolean holds() {
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(TRIAL_SECONDS);
                return statement.execute("SELECT 1");
            } catch (SQLException e) {
                return false;
            }
        }

        @Override
        public void close() {
            new JdbcConnection(connection).close();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
