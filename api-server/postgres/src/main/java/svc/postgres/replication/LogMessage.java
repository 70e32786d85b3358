package svc.postgres.replication;

import java.util.List;
import java.util.Optional;

/**
 * A message of the plugin pgoutput in protocol version 1 or 2 (PostgreSQL's documentation, "Logical Replication Message
 * Formats"). Positions are bytes of the log, times are microseconds since 2000-01-01 UTC.
 */
public sealed interface LogMessage {
    /** The transaction that follows. @param commitPosition of its commit record */
    record Begin(long commitPosition, long commitMicros, int transaction) implements LogMessage {}

    /** The end of the transaction. @param end the position after its commit record, from which a reader can go on */
    record Commit(long commitPosition, long end, long commitMicros) implements LogMessage {}

    /** The transaction came from another server. */
    record Origin(long commitPosition, String name) implements LogMessage {}

    /** The shape of a table; sent before its first change, and again after each change of its definition. */
    record Relation(int oid, String schema, String table, ReplicaIdentity identity, List<Column> columns)
            implements LogMessage {
        public Relation {
            columns = List.copyOf(columns);
        }
    }

    /** @param key whether it belongs to the replica identity */
    record Column(boolean key, String name, int typeOid, int typeModifier) {}

    /** A type that is not the server's own. */
    record Type(int oid, String schema, String name) implements LogMessage {}

    /** A change of one row. */
    sealed interface RowChange extends LogMessage {
        int relation();
    }

    record Insert(int relation, Tuple row) implements RowChange {}

    /** @param old by the replica identity: the key when it changed, the whole row, or nothing */
    record Update(int relation, Optional<OldTuple> old, Tuple row) implements RowChange {}

    record Delete(int relation, OldTuple old) implements RowChange {}

    record Truncate(List<Integer> relations, boolean cascade, boolean restartIdentity) implements LogMessage {
        public Truncate {
            relations = List.copyOf(relations);
        }
    }

    /** Of pg_logical_emit_message; only sent to readers that ask for it. */
    record Emitted(boolean transactional, long position, String prefix, int length) implements LogMessage {}

    /**
     * A block of messages of one transaction that has not ended, up to the next {@link StreamStop}. Each of them carries a
     * number of a transaction: {@link UnfinishedMessage}.
     *
     * @param first whether no block of the transaction came before
     */
    record StreamStart(int transaction, boolean first) implements LogMessage {}

    /** The end of a block. */
    record StreamStop() implements LogMessage {}

    /** The commit of a transaction whose messages came in blocks. @param end as in {@link Commit} */
    record StreamCommit(int transaction, long commitPosition, long end, long commitMicros) implements LogMessage {}

    /**
     * Such a transaction has failed, or a part of it up to a savepoint.
     *
     * @param subtransaction the part; the transaction itself when the whole has failed
     */
    record StreamAbort(int transaction, int subtransaction) implements LogMessage {}

    /** What identifies the old row of an update or a delete: {@code pg_class.relreplident}. */
    enum ReplicaIdentity {
        DEFAULT,
        NOTHING,
        FULL,
        INDEX
    }

    /** @param full whether it is the whole row and not the key alone, whose other columns are null */
    record OldTuple(boolean full, Tuple row) {}

    /** The values of a row, one for each column of its {@link Relation}. */
    record Tuple(List<Value> values) {
        public Tuple {
            values = List.copyOf(values);
        }
    }

    /** One value. */
    sealed interface Value {
        /** SQL's null. */
        record Null() implements Value {}

        /** Stored out of line and not changed by an update: the log has no value. */
        record Unchanged() implements Value {}

        /** In the type's text form. */
        record Text(String text) implements Value {}
    }
}
