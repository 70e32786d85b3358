package svc.realtime.reader;

import io.vertx.core.buffer.Buffer;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.MalformedLogException;

/**
 * Some changes of one project, as they travel between processes: the messages of PostgreSQL's plugin as they were read, each
 * with its position. A batch holds the shape of each table that it has changes of.
 *
 * @param completeSince the reader's slot was made here, so what committed before may be missing; 0 when that is not known
 * @param previous the last change of the project that this reader has passed on; empty for its first batch
 */
public record ChangeBatch(long completeSince, Optional<LogPosition> previous, List<Entry> entries) {
    static final byte VERSION = 1;
    static final byte SHAPE = 1;
    static final byte CHANGE = 2;
    static final byte SHORTENED = 3;
    static final byte UNREADABLE = 4;
    static final byte TOO_LARGE = 5;

    /** In place of the position before the first batch. */
    static final long NONE = -1;

    /** Version, start, and the position before. */
    static final int HEADER_BYTES = 1 + Long.BYTES + Long.BYTES + Integer.BYTES;

    public ChangeBatch {
        entries = List.copyOf(entries);
    }

    /** A part of a batch. */
    public sealed interface Entry {}

    /** The shape of a table from here on. @param seen tells descriptions of a table apart */
    public record Shape(long seen, LogMessage.Relation relation) implements Entry {}

    /**
     * @param commitMicros since 2000-01-01 UTC
     * @param shortened whether long values were left out
     * @param bytes it took in the batch
     */
    public record Change(
            LogPosition position, long commitMicros, boolean shortened, LogMessage.RowChange row, int bytes)
            implements Entry {}

    /**
     * In place of the changes of a transaction, whole or from one of them on.
     *
     * @param commitMicros since 2000-01-01 UTC
     */
    public record Passed(long commit, long commitMicros, Reason reason) implements Entry {
        /** Why changes are left out. */
        public enum Reason {
            /** PostgreSQL cannot send them. */
            UNREADABLE,
            /** The transaction changed more than one may. */
            TOO_LARGE
        }
    }

    /** @throws MalformedLogException when the bytes are no batch */
    public static ChangeBatch decode(Buffer message) {
        ByteBuffer in = ByteBuffer.wrap(message.getBytes());
        if (in.remaining() < HEADER_BYTES || in.get() != VERSION) {
            throw new MalformedLogException("no batch of changes");
        }
        long since = in.getLong();
        long commit = in.getLong();
        int index = in.getInt();
        Optional<LogPosition> previous =
                commit == NONE ? Optional.empty() : Optional.of(new LogPosition(commit, index));
        List<Entry> entries = new ArrayList<>();
        while (in.hasRemaining()) {
            entries.add(entry(in));
        }
        return new ChangeBatch(since, previous, entries);
    }

    private static Entry entry(ByteBuffer in) {
        try {
            byte kind = in.get();
            long commit = in.getLong();
            if (kind == SHAPE) {
                if (LogDecoder.decode(part(in)) instanceof LogMessage.Relation relation) {
                    return new Shape(commit, relation);
                }
                throw new MalformedLogException("no shape of a table");
            }
            int index = in.getInt();
            long micros = in.getLong();
            ByteBuffer bytes = part(in);
            int length = bytes.remaining();
            if (kind == UNREADABLE || kind == TOO_LARGE) {
                return new Passed(
                        commit, micros, kind == TOO_LARGE ? Passed.Reason.TOO_LARGE : Passed.Reason.UNREADABLE);
            }
            if ((kind == CHANGE || kind == SHORTENED)
                    && LogDecoder.decode(bytes) instanceof LogMessage.RowChange change) {
                return new Change(new LogPosition(commit, index), micros, kind == SHORTENED, change, length);
            }
            throw new MalformedLogException("no change of a row");
        } catch (BufferUnderflowException e) {
            throw new MalformedLogException("the batch is cut off");
        }
    }

    private static ByteBuffer part(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new MalformedLogException("an entry of " + length + " bytes");
        }
        ByteBuffer part = in.slice(in.position(), length);
        in.position(in.position() + length);
        return part;
    }
}
