package svc.postgres.listen;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.postgresql.PGNotification;
import org.postgresql.jdbc.PgConnection;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.config.OutageLog;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.Login;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;

/**
 * Receives notifications of schema changes: one connection with LISTEN per database that holds projects. A notification
 * is a hint, because any session that guessed the channel's name can send it and a hint may be missed; the version row
 * is authoritative.
 */
public final class SchemaNotifications implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SchemaNotifications.class);
    private static final SqlTemplate LISTEN = SqlTemplate.of("LISTEN :\"channel\"");
    private static final Identifier PGRST = Identifier.of("pgrst");
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(100);
    private static final Duration BACKOFF_AFTER_FAULT = Duration.ofSeconds(1);
    private static final RetryPolicy RECONNECT =
            RetryPolicy.untilSuccess().withExponentialBackoff(INITIAL_BACKOFF, Duration.ofSeconds(10));

    private final Map<String, ListenerConnection> listeners = new ConcurrentHashMap<>();
    private final OutageLog faults = new OutageLog(Clock.systemUTC());
    private final CatalogDatabase catalog;
    private final Identifier channel;
    private volatile boolean closed;

    /** @param channel derived from the platform's key */
    public SchemaNotifications(CatalogDatabase catalog, String channel) {
        this.catalog = catalog;
        this.channel = Identifier.of(channel);
    }

    /** Receives what may have changed; must return quickly. */
    public interface Listener {
        /** This schema of this database may have changed. */
        void changed(String database, String schema);

        /** Anything in this database may have changed: notifications were missed. */
        void missed(String database);
    }

    /**
     * Notifies {@code listener} of changes in this database from now on. A second call for the same database changes
     * nothing, unless the database has moved: then the connection is made to its new address.
     */
    public void follow(DatabaseAddress database, Listener listener) {
        ListenerConnection known = listeners.get(database.name());
        if (closed || (known != null && known.database.equals(database))) {
            return;
        }
        listeners.compute(database.name(), (name, current) -> {
            if (current != null && current.database.equals(database)) {
                return current;
            }
            if (current != null) {
                current.stop();
            }
            return new ListenerConnection(database, listener, () -> catalog.login(database), channel).start();
        });
    }

    /**
     * Notifies {@code listener} of changes in an adopted database from now on, on PostgREST's channel {@code pgrst}.
     * Costs one connection. A second call changes nothing until {@link #leave}.
     */
    public void followAdopted(Tenant tenant, TenantTransactions transactions, Listener listener) {
        if (!closed) {
            listeners.computeIfAbsent(
                    tenant.database().name(),
                    name -> new ListenerConnection(
                                    tenant.database(),
                                    new ReloadListener(listener),
                                    () -> transactions.login(tenant),
                                    PGRST)
                            .start());
        }
    }

    /** Stops listening to a database; the next {@code follow} connects with the settings of then. */
    public void leave(String database) {
        ListenerConnection left = listeners.remove(database);
        if (left != null) {
            left.stop();
        }
    }

    /**
     * PostgREST's words: an empty payload reloads all, and of its configuration the settings of roles are the
     * database's.
     */
    private record ReloadListener(Listener schemas) implements Listener {
        private static final Set<String> RELOAD = Set.of("", "reload schema", "reload config");

        @Override
        public void changed(String database, String payload) {
            if (RELOAD.contains(payload)) {
                schemas.missed(database);
            }
        }

        @Override
        public void missed(String database) {
            schemas.missed(database);
        }
    }

    @Override
    public void close() {
        closed = true;
        listeners.values().forEach(ListenerConnection::stop);
    }

    private final class ListenerConnection {
        private final DatabaseAddress database;
        private final Listener listener;
        private volatile PgConnection connection;
        private volatile boolean stopped;
        private final Supplier<Login> login;
        private final Identifier channel;
        private Thread thread;

        ListenerConnection(DatabaseAddress database, Listener listener, Supplier<Login> login, Identifier channel) {
            this.database = database;
            this.listener = listener;
            this.login = login;
            this.channel = channel;
        }

        ListenerConnection start() {
            thread = Thread.ofVirtual()
                    .name("svc-schema-listener-" + database.name())
                    .start(this::run);
            return this;
        }

        void stop() {
            stopped = true;
            thread.interrupt();
            PgConnection open = connection;
            if (open != null) {
                close(open);
            }
        }

        private boolean ended() {
            return closed || stopped;
        }

        private void run() {
            try {
                while (!ended()) {
                    Thread.sleep(listenOnce());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Until the connection is lost; how long to wait then. */
        private Duration listenOnce() throws InterruptedException {
            try {
                listenUntilLost(RECONNECT.retryOn(this::isTransient).call(this::connect));
                return INITIAL_BACKOFF;
            } catch (SqlError e) {
                LOG.debugf("the schema listener of %s was stopped while it connected", database.name());
                return INITIAL_BACKOFF;
            } catch (RuntimeException e) {
                // The thread lives on: no other one listens to this database.
                faults.line(database.name(), String.valueOf(e))
                        .ifPresent(line ->
                                LOG.errorf(e, "the schema listener of %s has failed: %s", database.name(), line));
                return BACKOFF_AFTER_FAULT;
            }
        }

        private boolean isTransient(Throwable failure) {
            return failure instanceof SqlError && !ended();
        }

        private PgConnection connect() {
            PgConnection open = login();
            connection = open;
            try {
                listen(open);
                return open;
            } catch (SQLException e) {
                close(open);
                throw lost(SqlError.of(e));
            }
        }

        private PgConnection login() {
            try {
                return login.get().open();
            } catch (SqlError e) {
                throw lost(e);
            }
        }

        private SqlError lost(SqlError why) {
            if (!ended()) {
                LOG.warnf("schema listener of %s disconnected: %s", database.name(), why.getMessage());
                listener.missed(database.name());
            }
            return why;
        }

        private void listenUntilLost(PgConnection open) throws InterruptedException {
            try (open) {
                // After LISTEN, so that no change falls between the two.
                listener.missed(database.name());
                receive(open);
            } catch (SQLException e) {
                lost(SqlError.of(e));
            }
        }

        private void listen(PgConnection open) throws SQLException {
            SqlFragment sql = LISTEN.bind(Map.of("channel", channel));
            try (var statement = open.createStatement()) {
                statement.execute(sql.sql());
            }
        }

        private void receive(PgConnection open) throws SQLException, InterruptedException {
            while (!ended()) {
                PGNotification[] received = open.getNotifications((int) POLL.toMillis());
                if (received == null || received.length == 0) {
                    // A peer that vanished shows only when something is sent.
                    open.isValid((int) POLL.toSeconds());
                    if (open.isClosed()) {
                        return;
                    }
                    continue;
                }
                for (PGNotification notification : received) {
                    listener.changed(database.name(), notification.getParameter());
                }
                if (database.server() == Server.CHOSEN_BY_TENANT) {
                    // Bounds how often a tenant that floods the channel makes the schema reload.
                    Thread.sleep(INITIAL_BACKOFF);
                }
            }
        }

        private void close(PgConnection open) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debugf(e, "while closing the schema listener of %s", database.name());
            }
        }
    }
}
