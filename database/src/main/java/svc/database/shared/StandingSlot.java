package svc.database.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import svc.database.sql.TextHash;

/**
 * The replication slot of a shared database, which stands while its projects publish tables: a slot that is made waits for
 * every transaction that writes at that moment, so one tenant's open transaction would keep all others from subscribing.
 * While no reader follows, the slot is advanced, so that it keeps little of the server's log.
 *
 * <p>Only where the server limits what a slot keeps: nothing else would free the disk when all operators are gone.
 */
public final class StandingSlot {
    /**
     * Readers that are wanted come back within seconds. Hazard: readers rely on it that a slot is not advanced which they have
     * seen half a minute ago (DatabaseReader in the API server).
     */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private static final String MISSING = """
            SELECT (svc_functions.realtime_slot_stands()
                AND NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots s WHERE s.slot_name = ?::pg_catalog.name))::text""";

    private static final String CREATE =
            "SELECT pg_catalog.pg_create_logical_replication_slot(?::pg_catalog.name, 'pgoutput')::text";

    /** Up to what is surely on disk: the server advances a slot no further. */
    private static final String IDLE_SLOT = """
            SELECT s.slot_name::text
            FROM pg_catalog.pg_replication_slots s
            WHERE s.slot_name = ?::pg_catalog.name AND s.database = pg_catalog.current_database() AND NOT s.active
              AND s.confirmed_flush_lsn < pg_catalog.pg_current_wal_flush_lsn() AND s.wal_status <> 'lost'
              AND (pg_catalog.to_jsonb(s) ->> 'inactive_since')::pg_catalog.timestamptz
                    < pg_catalog.now() - pg_catalog.make_interval(secs => ?::pg_catalog.float8)
              AND svc_functions.realtime_slot_stands()""";

    private static final String ADVANCE =
            "SELECT pg_catalog.pg_replication_slot_advance(?::pg_catalog.name, pg_catalog.pg_current_wal_flush_lsn())::text";

    private static final String ALREADY_THERE = "42710";
    private static final String IN_USE = "55006";
    private static final String GONE = "42704";

    private StandingSlot() {}

    /** The slot's name for a database: slots belong to the server, and their names are short and plain. */
    public static String nameOf(String database) {
        return "svc_realtime_" + TextHash.of(database).substring(0, 16);
    }

    /** Whether there should be a slot and is none. @param superuser a connection of {@code svc_operator}, in autocommit mode */
    public static boolean isMissing(Connection superuser) throws SQLException {
        return Boolean.parseBoolean(new Session(superuser).value(MISSING, name(superuser)));
    }

    /**
     * Creates the slot, unless another operator or a reader does. Blocks until the transactions that write now have ended.
     *
     * @return whether this call has made it
     */
    public static boolean create(Connection superuser) throws SQLException {
        try {
            new Session(superuser).value(CREATE, name(superuser));
            return true;
        } catch (SQLException e) {
            if (ALREADY_THERE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** Advances the slot if nothing has read it for a minute. @return whether it was advanced */
    public static boolean advance(Connection superuser) throws SQLException {
        return advance(superuser, IDLE);
    }

    static boolean advance(Connection superuser, Duration idle) throws SQLException {
        var session = new Session(superuser);
        Optional<String> slot =
                Optional.ofNullable(session.value(IDLE_SLOT, name(superuser), Long.toString(idle.toSeconds())));
        if (slot.isEmpty()) {
            return false;
        }
        try {
            session.value(ADVANCE, slot.get());
            return true;
        } catch (SQLException e) {
            // Read again, or dropped, since it was found.
            if (IN_USE.equals(e.getSQLState()) || GONE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private static String name(Connection superuser) throws SQLException {
        return nameOf(superuser.getCatalog());
    }
}
