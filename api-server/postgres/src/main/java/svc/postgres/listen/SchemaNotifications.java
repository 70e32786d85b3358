package svc.postgres.listen;

import java.sql.SQLException;
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
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.Login;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;

/**
 * Hears of schema changes: one listening connection per database that holds projects. What it hears is a hint, because
 * whoever guessed the channel could say it too, and a hint may be missed; truth is the version row.
 */
public final class SchemaNotifications implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SchemaNotifications.class);
    private static final SqlTemplate LISTEN = SqlTemplate.of("LISTEN :\"channel\"");
    private static final Identifier PGRST = Identifier.of("pgrst");
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);

    private final Map<String, ListenerConnection> ears = new ConcurrentHashMap<>();
    private final CatalogDatabase catalog;
    private final Identifier channel;
    private volatile boolean closed;

    /** @param channel derived from the platform's key */
    public SchemaNotifications(CatalogDatabase catalog, String channel) {
        this.catalog = catalog;
        this.channel = Identifier.of(channel);
    }

    /** Told what may have changed; returns quickly. */
    public interface Listener {
        /** This schema of this database may have changed. */
        void changed(String database, String schema);

        /** Anything in this database may have changed: the connection was away. */
        void missed(String database);
    }

    /**
     * Tells {@code listener} of this database from now on. A second call for the same database changes nothing, unless the
     * database has moved: then it is listened to where it is now.
     */
    public void follow(DatabaseAddress database, Listener listener) {
        ListenerConnection known = ears.get(database.name());
        if (closed || (known != null && known.database.equals(database))) {
            return;
        }
        ears.compute(database.name(), (name, current) -> {
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
     * Tells {@code listener} of an adopted database from now on, as its owners are used to: on the channel {@code pgrst}.
     * That costs one connection. A second call changes nothing until {@link #leave}.
     */
    public void followAdopted(Tenant tenant, TenantTransactions transactions, Listener listener) {
        if (!closed) {
            ears.computeIfAbsent(
                    tenant.database().name(),
                    name -> new ListenerConnection(
                                    tenant.database(),
                                    new ReloadListener(listener),
                                    () -> transactions.login(tenant),
                                    PGRST)
                            .start());
        }
    }

    /** Listens no longer there; whoever follows again comes with what holds now. */
    public void leave(String database) {
        ListenerConnection ear = ears.remove(database);
        if (ear != null) {
            ear.stop();
        }
    }

    /** PostgREST's words: an empty payload reloads all, and of its configuration the settings of roles are the database's. */
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
        ears.values().forEach(ListenerConnection::stop);
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
                try {
                    open.abort(Runnable::run);
                } catch (SQLException e) {
                    LOG.debugf(e, "while closing the listener of %s", database.name());
                }
            }
        }

        private boolean ended() {
            return closed || stopped;
        }

        private void run() {
            Duration pause = INITIAL_BACKOFF;
            while (!ended()) {
                try (PgConnection open = login.get().open()) {
                    connection = open;
                    listen(open);
                    // After LISTEN, so that nothing falls between the two.
                    listener.missed(database.name());
                    pause = INITIAL_BACKOFF;
                    hear(open);
                } catch (SQLException | SqlError e) {
                    if (!ended()) {
                        LOG.warnf("the schema listener of %s is away: %s", database.name(), e.getMessage());
                        listener.missed(database.name());
                    }
                }
                if (!sleep(pause)) {
                    return;
                }
                pause = pause.multipliedBy(2).compareTo(MAX_BACKOFF) < 0 ? pause.multipliedBy(2) : MAX_BACKOFF;
            }
        }

        private void listen(PgConnection open) throws SQLException {
            SqlFragment sql = LISTEN.bind(Map.of("channel", channel));
            try (var statement = open.createStatement()) {
                statement.execute(sql.sql());
            }
        }

        private void hear(PgConnection open) throws SQLException {
            while (!ended()) {
                PGNotification[] heard = open.getNotifications((int) POLL.toMillis());
                if (heard == null || heard.length == 0) {
                    // A peer that is gone without a word shows only when we speak.
                    open.isValid((int) POLL.toSeconds());
                    if (open.isClosed()) {
                        return;
                    }
                    continue;
                }
                for (PGNotification notification : heard) {
                    listener.changed(database.name(), notification.getParameter());
                }
                // One who floods us has us reload now and then, not always.
                if (!sleep(database.server() == Server.PLATFORM ? Duration.ZERO : INITIAL_BACKOFF)) {
                    return;
                }
            }
        }

        private boolean sleep(Duration pause) {
            try {
                Thread.sleep(pause);
                return !ended();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
