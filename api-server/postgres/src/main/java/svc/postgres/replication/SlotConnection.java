package svc.postgres.replication;

import java.sql.SQLException;
import org.jboss.logging.Logger;
import org.postgresql.jdbc.PgConnection;
import svc.database.sql.SqlFragment;
import svc.postgres.SqlError;
import svc.postgres.jdbc.ConnectionStatements;

/** A connection that watches one slot. Used by one thread. */
public final class SlotConnection implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SlotConnection.class);

    private static final SqlFragment STATE =
            SqlFragment.of("SELECT s.found, s.active, s.lost, s.confirmed, s.log_position,"
                    + " s.kept_bytes, s.limit_bytes FROM svc_functions.realtime_slot(?) s");

    private static final SqlFragment SNAPSHOT = SqlFragment.of("SELECT svc_functions.realtime_snapshot() AS snapshot");

    private static final SqlFragment STANDS = SqlFragment.of("SELECT svc_functions.realtime_slot_stands() AS stands");

    private static final SqlFragment PARTS =
            SqlFragment.of("SELECT p.complete, p.oldest, p.next, p.log_position FROM svc_functions.realtime_parts() p");

    private static final String UNDEFINED_FUNCTION = "42883";

    private final PgConnection connection;
    private final String slot;

    SlotConnection(PgConnection connection, String slot) {
        this.connection = connection;
        this.slot = slot;
    }

    /** Reads the slot's state. @throws SqlError when the database cannot be asked */
    public SlotState state() {
        return new ConnectionStatements(connection)
                .query(
                        STATE,
                        row -> new SlotState(
                                row.flag("found"),
                                row.flag("active"),
                                row.flag("lost"),
                                row.number("confirmed"),
                                row.number("log_position"),
                                row.number("kept_bytes"),
                                row.number("limit_bytes")),
                        slot)
                .getFirst();
    }

    /** What other sessions see from now on. @throws SqlError when the database cannot be asked */
    public CommitSnapshot snapshot() {
        return CommitSnapshot.parse(new ConnectionStatements(connection)
                .query(SNAPSHOT, row -> row.text("snapshot"))
                .getFirst());
    }

    /** Whether the slot is kept when nothing reads it: operators advance it then. @throws SqlError when it cannot be asked */
    public boolean stands() {
        try {
            return new ConnectionStatements(connection)
                    .query(STANDS, row -> row.flag("stands"))
                    .getFirst();
        } catch (SqlError e) {
            // The operator of an earlier version, which advances none, has prepared the database.
            if (e.is(UNDEFINED_FUNCTION)) {
                return false;
            }
            throw e;
        }
    }

    /** The parts of a shared database's published tables; incomplete where an earlier operator has prepared it. */
    public PartsState parts() {
        try {
            return new ConnectionStatements(connection)
                    .query(
                            PARTS,
                            row -> new PartsState(
                                    row.flag("complete"),
                                    row.number("oldest"),
                                    row.number("next"),
                                    row.number("log_position")))
                    .getFirst();
        } catch (SqlError e) {
            if (e.is(UNDEFINED_FUNCTION)) {
                return PartsState.NONE;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debugf(e, "while closing a connection that watched the slot %s", slot);
        }
    }
}
