package svc.postgres.replication;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;
import svc.postgres.SqlError;

/**
 * The open stream of a slot. One thread reads; {@link #confirm} and {@link #close} may be called by any. While a thread
 * waits in {@link #next} the driver reports to the server each second, and confirms what it skips.
 */
public final class WalStream implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(WalStream.class);

    private final PgConnection connection;
    private final PGReplicationStream stream;
    private long confirmed;

    WalStream(PgConnection connection, PGReplicationStream stream) {
        this.connection = connection;
        this.stream = stream;
    }

    /** The next message if it is there; valid until the next call. @throws SqlError when the connection is lost */
    public Optional<ByteBuffer> pending() {
        try {
            return Optional.ofNullable(stream.readPending());
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }

    /** The next message; waits for it. @throws SqlError when the connection is lost or closed */
    public ByteBuffer next() {
        try {
            ByteBuffer message = stream.read();
            if (message == null) {
                throw SqlError.of(new SQLException("the stream has ended", "08006"));
            }
            return message;
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }

    /** Where the log has what the last message tells. Any thread. */
    public long received() {
        return stream.getLastReceiveLSN().asLong();
    }

    /** Nothing before this position is needed any more. The server learns it within a second. */
    public synchronized void confirm(long position) {
        if (Long.compareUnsigned(position, confirmed) > 0) {
            confirmed = position;
            stream.setAppliedLSN(LogSequenceNumber.valueOf(position));
            stream.setFlushedLSN(LogSequenceNumber.valueOf(position));
        }
    }

    /** Tells the server that this reader lives, and what it has confirmed; by the reading thread, while it does not read. */
    public void report() {
        try {
            stream.forceUpdateStatus();
        } catch (SQLException e) {
            throw SqlError.of(e);
        }
    }

    /** Ends the connection, without a word to the server: a reader that waits returns. */
    @Override
    public void close() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debugf(e, "while closing a stream of the log");
        }
    }
}
