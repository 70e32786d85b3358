package svc.postgres.replication;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.postgres.replication.LogMessage.Column;
import svc.postgres.replication.LogMessage.OldTuple;
import svc.postgres.replication.LogMessage.ReplicaIdentity;
import svc.postgres.replication.LogMessage.Tuple;
import svc.postgres.replication.LogMessage.Value;

/**
 * Decodes messages of pgoutput. Pure. What a message takes in memory is bounded by its length, whatever its counts say.
 */
public final class LogDecoder {
    /** PostgreSQL's MaxTupleAttributeNumber. */
    private static final int MAX_COLUMNS = 1664;

    private static final Value NULL = new Value.Null();
    private static final Value UNCHANGED = new Value.Unchanged();

    private LogDecoder() {}

    /**
     * Decodes one message, from the buffer's position to its limit.
     *
     * @throws MalformedLogException when the bytes are no message, or more than one
     */
    public static LogMessage decode(ByteBuffer bytes) {
        try {
            LogMessage message = message(bytes);
            if (bytes.hasRemaining()) {
                throw new MalformedLogException(bytes.remaining() + " bytes follow the message");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new MalformedLogException("the message is cut off");
        }
    }

    private static LogMessage message(ByteBuffer in) {
        byte kind = in.get();
        return switch (kind) {
            case 'B' -> new LogMessage.Begin(in.getLong(), in.getLong(), in.getInt());
            case 'C' -> commit(in);
            case 'O' -> new LogMessage.Origin(in.getLong(), name(in));
            case 'R' -> relation(in);
            case 'Y' -> new LogMessage.Type(in.getInt(), name(in), name(in));
            case 'I' -> new LogMessage.Insert(in.getInt(), marked(in, 'N'));
            case 'U' -> update(in);
            case 'D' -> delete(in);
            case 'T' -> truncate(in);
            case 'M' -> emitted(in);
            case 'S' -> new LogMessage.StreamStart(in.getInt(), in.get() != 0);
            case 'E' -> new LogMessage.StreamStop();
            case 'c' -> streamCommit(in);
            case 'A' -> new LogMessage.StreamAbort(in.getInt(), in.getInt());
            default -> throw new MalformedLogException("no message begins with the byte " + kind);
        };
    }

    private static LogMessage commit(ByteBuffer in) {
        in.get();
        return new LogMessage.Commit(in.getLong(), in.getLong(), in.getLong());
    }

    private static LogMessage streamCommit(ByteBuffer in) {
        int transaction = in.getInt();
        in.get();
        return new LogMessage.StreamCommit(transaction, in.getLong(), in.getLong(), in.getLong());
    }

    private static LogMessage relation(ByteBuffer in) {
        int oid = in.getInt();
        String schema = name(in);
        String table = name(in);
        ReplicaIdentity identity = switch (in.get()) {
            case 'd' -> ReplicaIdentity.DEFAULT;
            case 'n' -> ReplicaIdentity.NOTHING;
            case 'f' -> ReplicaIdentity.FULL;
            case 'i' -> ReplicaIdentity.INDEX;
            default -> throw new MalformedLogException("an unknown replica identity");
        };
        int count = columns(in);
        List<Column> columns = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            boolean key = (in.get() & 1) != 0;
            columns.add(new Column(key, name(in), in.getInt(), in.getInt()));
        }
        // The schema of PostgreSQL's own tables is sent as an empty text.
        return new LogMessage.Relation(oid, schema.isEmpty() ? "pg_catalog" : schema, table, identity, columns);
    }

    private static LogMessage update(ByteBuffer in) {
        int relation = in.getInt();
        if (!in.hasRemaining()) {
            throw new MalformedLogException("the message is cut off");
        }
        byte next = in.get(in.position());
        Optional<OldTuple> old = next == 'K' || next == 'O' ? Optional.of(old(in)) : Optional.empty();
        return new LogMessage.Update(relation, old, marked(in, 'N'));
    }

    private static LogMessage delete(ByteBuffer in) {
        int relation = in.getInt();
        return new LogMessage.Delete(relation, old(in));
    }

    private static OldTuple old(ByteBuffer in) {
        byte mark = in.get();
        if (mark != 'K' && mark != 'O') {
            throw new MalformedLogException("an old row is marked by " + mark);
        }
        return new OldTuple(mark == 'O', tuple(in));
    }

    private static Tuple marked(ByteBuffer in, char mark) {
        byte found = in.get();
        if (found != mark) {
            throw new MalformedLogException("a row is marked by " + found);
        }
        return tuple(in);
    }

    private static Tuple tuple(ByteBuffer in) {
        int count = columns(in);
        List<Value> values = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            byte kind = in.get();
            values.add(
                    switch (kind) {
                        case 'n' -> NULL;
                        case 'u' -> UNCHANGED;
                        case 't' -> new Value.Text(text(in, length(in)));
                        default -> throw new MalformedLogException("a value is of the kind " + kind);
                    });
        }
        return new Tuple(values);
    }

    private static LogMessage truncate(ByteBuffer in) {
        int count = in.getInt();
        int options = in.get();
        if (count < 0 || count > in.remaining() / Integer.BYTES) {
            throw new MalformedLogException("a truncation of " + count + " tables");
        }
        List<Integer> relations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            relations.add(in.getInt());
        }
        return new LogMessage.Truncate(relations, (options & 1) != 0, (options & 2) != 0);
    }

    private static LogMessage emitted(ByteBuffer in) {
        boolean transactional = in.get() != 0;
        long position = in.getLong();
        String prefix = name(in);
        int length = length(in);
        in.position(in.position() + length);
        return new LogMessage.Emitted(transactional, position, prefix, length);
    }

    private static int columns(ByteBuffer in) {
        int count = in.getShort();
        if (count < 0 || count > MAX_COLUMNS) {
            throw new MalformedLogException("a row of " + count + " columns");
        }
        return count;
    }

    private static int length(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new MalformedLogException("a value of " + length + " bytes");
        }
        return length;
    }

    /** Up to a zero byte. */
    private static String name(ByteBuffer in) {
        int end = in.position();
        while (end < in.limit() && in.get(end) != 0) {
            end++;
        }
        if (end == in.limit()) {
            throw new MalformedLogException("a name has no end");
        }
        String name = text(in, end - in.position());
        in.get();
        return name;
    }

    private static String text(ByteBuffer in, int length) {
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(slice).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedLogException("a text is not UTF-8");
        }
    }
}
