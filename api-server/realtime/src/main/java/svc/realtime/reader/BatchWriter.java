package svc.realtime.reader;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Writes a {@link ChangeBatch} of one project. Used by the reading thread alone. */
final class BatchWriter {
    private final UUID projectId;
    private final Buffer out = Buffer.buffer(512);

    /** The shapes that the batch has already, by table. */
    private final Map<Integer, Long> shapes = new HashMap<>();

    private LogPosition last = LogPosition.START;
    private int changes;

    BatchWriter(UUID projectId, long completeSince, Optional<LogPosition> previous) {
        this.projectId = projectId;
        out.appendByte(ChangeBatch.VERSION).appendLong(completeSince);
        previous.ifPresentOrElse(
                position -> out.appendLong(position.commit()).appendInt(position.index()),
                () -> out.appendLong(ChangeBatch.NONE).appendInt(0));
    }

    /** A batch that says that a transaction cannot be read. */
    static Buffer unreadable(UUID projectId, long commit, long commitMicros) {
        var batch = new BatchWriter(projectId, 0, Optional.empty());
        batch.passed(ChangeBatch.UNREADABLE, commit, commitMicros);
        return batch.message();
    }

    /** Says that the changes of a transaction end here, because it is too large. */
    void leaveOut(long commit, long commitMicros) {
        passed(ChangeBatch.TOO_LARGE, commit, commitMicros);
        last = LogPosition.after(commit);
    }

    private void passed(byte kind, long commit, long commitMicros) {
        out.appendByte(kind)
                .appendLong(commit)
                .appendInt(0)
                .appendLong(commitMicros)
                .appendInt(0);
    }

    /** Adds a change, and the shape of its table when the batch has not got it. */
    void add(TableShape shape, LogPosition position, long commitMicros, boolean shortened, ByteBuffer change) {
        Long known = shapes.put(shape.oid(), shape.seen());
        if (known == null || known != shape.seen()) {
            out.appendByte(ChangeBatch.SHAPE)
                    .appendLong(shape.seen())
                    .appendInt(shape.message().length)
                    .appendBytes(shape.message());
        }
        out.appendByte(shortened ? ChangeBatch.SHORTENED : ChangeBatch.CHANGE)
                .appendLong(position.commit())
                .appendInt(position.index())
                .appendLong(commitMicros)
                .appendInt(change.remaining());
        byte[] bytes = new byte[change.remaining()];
        change.duplicate().get(bytes);
        out.appendBytes(bytes);
        last = position;
        changes++;
    }

    UUID projectId() {
        return projectId;
    }

    int bytes() {
        return out.length();
    }

    int changes() {
        return changes;
    }

    LogPosition last() {
        return last;
    }

    Buffer message() {
        return out;
    }

    /**
     * A table as the log has described it last.
     *
     * @param seen tells descriptions of a table apart
     * @param message as it was read
     */
    record TableShape(int oid, long seen, byte[] message) {}
}
