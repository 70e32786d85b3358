package svc.postgres.termination;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import org.postgresql.jdbc.PgConnection;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;
import svc.postgres.Login;

/**
 * Ends sessions on a server that a tenant chose: every login may end its own sessions there, and no credentials of the
 * platform's are sent. It gives up after a while, since such a server may answer anything.
 */
public final class OwnSessionEnder implements SessionEnder {
    private static final Logger LOG = Logger.getLogger(OwnSessionEnder.class);
    private static final String END = "SELECT pg_catalog.pg_terminate_backend(a.pid) FROM pg_catalog.pg_stat_activity a"
            + " WHERE a.pid OPERATOR(pg_catalog.=) ? AND a.usename OPERATOR(pg_catalog.=) session_user";
    private static final int ATTEMPTS = 10;
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    /** Connections to all such servers. */
    private static final Budget CONNECTIONS = new Budget("session-ends", 8);

    /** Of them to one database: a server that never answers keeps the ends of no other waiting. */
    private static final Limit OF_DATABASE = new Limit.Fixed(2);

    /** Longer than the attempts of as many sessions as a project has. */
    private static final Duration MAX_WAIT = Duration.ofHours(1);

    private final Login login;

    /** @param login of the session itself */
    public OwnSessionEnder(Login login) {
        this.login = login;
    }

    @Override
    public CompletableFuture<Void> end(Backend backend) {
        var gone = new CompletableFuture<Void>();
        Thread.ofVirtual().name("svc-db-end-own").start(() -> {
            try {
                endWithin(backend);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                gone.complete(null);
            }
        });
        return gone;
    }

    private void endWithin(Backend backend) throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (!stillRan(backend)) {
                return;
            }
            Thread.sleep(AGAIN);
        }
        LOG.warnf("a session of %s that was given up may still run", login);
    }

    /** True as well when that is not known. */
    private boolean stillRan(Backend backend) throws InterruptedException {
        Account database = CONNECTIONS.whole().part(login.jdbcUrl(), OF_DATABASE);
        if (database.await(1, MAX_WAIT) instanceof Outcome.Granted(Permit place)) {
            try (place) {
                return ended(backend);
            } catch (SQLException | RuntimeException e) {
                LOG.debugf(e, "while ending a session of %s", login);
            }
        }
        return true;
    }

    /** Whether there was a session to end. */
    private boolean ended(Backend backend) throws SQLException {
        try (PgConnection connection = login.open(ANSWER_LIMIT);
                PreparedStatement statement = connection.prepareStatement(END)) {
            statement.setInt(1, backend.pid());
            statement.setMaxRows(1);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }
}
