package svc.api.db;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.postgresql.PGNotification;
import org.postgresql.jdbc.PgConnection;
import svc.api.tenancy.Tenant.DatabaseAddress;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * Hears of schema changes: one listening connection per database that holds projects. What it hears is a hint, because
 * whoever guessed the channel could say it too, and a hint may be missed; truth is the version row.
 */
public final class SchemaNotifications implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SchemaNotifications.class);
    private static final SqlTemplate LISTEN = SqlTemplate.of("LISTEN :\"channel\"");
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Map<String, Ear> ears = new ConcurrentHashMap<>();
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
        Ear known = ears.get(database.name());
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
            return new Ear(database, listener).start();
        });
    }

    @Override
    public void close() {
        closed = true;
        ears.values().forEach(Ear::stop);
    }

    private final class Ear {
        private final DatabaseAddress database;
        private final Listener listener;
        private volatile PgConnection connection;
        private volatile boolean stopped;
        private Thread thread;

        Ear(DatabaseAddress database, Listener listener) {
            this.database = database;
            this.listener = listener;
        }

        Ear start() {
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
            Duration pause = FIRST_PAUSE;
            while (!ended()) {
                try (PgConnection open = catalog.login(database.jdbcUrl()).open()) {
                    connection = open;
                    listen(open);
                    // After LISTEN, so that nothing falls between the two.
                    listener.missed(database.name());
                    pause = FIRST_PAUSE;
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
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
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
