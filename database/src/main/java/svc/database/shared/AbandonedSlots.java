package svc.database.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Drops replication slots of the realtime service that nothing reads: after a crash of every reader a slot would keep the
 * server's log until the disk is full. A reader that comes back makes a new one, and its subscribers are new as well.
 */
public final class AbandonedSlots {
    /** Much longer than readers take to come back, and to take over from each other. */
    private static final Duration UNREAD = Duration.ofMinutes(15);

    /**
     * Half of what the server keeps for a slot may be unconfirmed, as readers have it; before PostgreSQL 17 slots do not tell
     * since when.
     */
    private static final String ABANDONED = """
            SELECT s.slot_name::text
            FROM pg_catalog.pg_replication_slots s
            WHERE s.slot_name LIKE 'svc\\_realtime\\_%' AND s.database = pg_catalog.current_database() AND NOT s.active
              AND (s.wal_status = 'lost'
                   OR (pg_catalog.to_jsonb(s) ->> 'inactive_since')::pg_catalog.timestamptz
                        < pg_catalog.now() - pg_catalog.make_interval(secs => ?::pg_catalog.float8)
                   OR pg_catalog.pg_current_wal_insert_lsn() - s.confirmed_flush_lsn > (
                        SELECT p.setting::pg_catalog.numeric * 1024 * 1024 / 2 FROM pg_catalog.pg_settings p
                        WHERE p.name = 'max_slot_wal_keep_size' AND p.setting <> '-1'))""";

    private static final String IN_USE = "55006";
    private static final String GONE = "42704";

    private AbandonedSlots() {}

    /** @return how many were dropped. @param superuser a connection of {@code svc_operator}, in autocommit mode */
    public static int drop(Connection superuser) throws SQLException {
        return drop(superuser, UNREAD);
    }

    static int drop(Connection superuser, Duration unread) throws SQLException {
        var session = new Session(superuser);
        int dropped = 0;
        for (List<String> row : session.rows(ABANDONED, Long.toString(unread.toSeconds()))) {
            try {
                session.value("SELECT pg_catalog.pg_drop_replication_slot(?)::text", row.getFirst());
                dropped++;
            } catch (SQLException e) {
                // Read again, or dropped by another operator, since it was found.
                if (!IN_USE.equals(e.getSQLState()) && !GONE.equals(e.getSQLState())) {
                    throw e;
                }
            }
        }
        return dropped;
    }
}
