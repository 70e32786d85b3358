package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.realtime.change.DatabaseMessages;

/**
 * Hands on the messages of databases, each once in this process: reading again must not broadcast them again, nor reading by two
 * streams at the same time. Any thread.
 */
final class HandedMessages {
    /** A message is sent on whole; the limit of broadcasts is that of the projects. */
    private static final int MAX_BYTES = 8 << 20;

    private final DatabaseMessages recipient;
    private final ReaderMetrics metrics;
    private final Map<UUID, LogPosition> last = new HashMap<>();

    HandedMessages(DatabaseMessages recipient, ReaderMetrics metrics) {
        this.recipient = recipient;
        this.metrics = metrics;
    }

    /** @param change of a row of the project's table of messages */
    synchronized void hand(LogPosition position, UUID project, LogMessage.Relation table, ByteBuffer change) {
        if (change.remaining() <= MAX_BYTES
                && LogDecoder.decode(change) instanceof LogMessage.Insert insert
                && position.isAfter(last.getOrDefault(project, LogPosition.START))) {
            last.put(project, position);
            LoggedMessages.of(table, insert).ifPresent(message -> {
                metrics.message();
                recipient.committed(project, message);
            });
        }
    }

    /** The positions of the log begin again. */
    synchronized void forget() {
        last.clear();
    }
}
