package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.MalformedLogException;
import svc.realtime.reader.BatchWriter.TableShape;
import svc.realtime.reader.ProjectTables.Target;

/**
 * The tables that a stream has described: once each, before their first change. Hazard: the stream never tells that a table is
 * gone, so what tenants create and drop would stay. A full one asks for a new stream, which describes again what changes.
 */
final class DescribedTables {
    /** Of descriptions as they were read. The widest table takes 0.1 MB. */
    static final long MAX_BYTES = 8L << 20;

    /** For the entry itself. */
    private static final int ENTRY_BYTES = 200;

    /** In the order of their descriptions. */
    private final Map<Integer, Described> tables = new LinkedHashMap<>();

    private final ProjectTables projects;
    private long bytes;

    DescribedTables(ProjectTables projects) {
        this.projects = projects;
    }

    /**
     * A table of the stream.
     *
     * @param target empty for a table of no project
     */
    record Described(TableShape shape, Optional<Target> target) {
        /** Its columns. */
        LogMessage.Relation relation() {
            return (LogMessage.Relation) LogDecoder.decode(ByteBuffer.wrap(shape.message()));
        }

        private long bytes() {
            return shape.message().length + ENTRY_BYTES;
        }
    }

    /** @param seen tells descriptions of a table apart */
    Described describe(ByteBuffer message, long seen) {
        byte[] read = new byte[message.remaining()];
        message.duplicate().get(read);
        var relation = (LogMessage.Relation) LogDecoder.decode(message);
        var table = new Described(
                new TableShape(relation.oid(), seen, read), projects.target(relation.schema(), relation.table()));
        Described former = tables.put(relation.oid(), table);
        bytes += table.bytes() - (former == null ? 0 : former.bytes());
        forget();
        return table;
    }

    /** Within one transaction no new stream can help: the tables that were described first make room. */
    private void forget() {
        Iterator<Described> oldest = tables.values().iterator();
        while (bytes > 2 * MAX_BYTES && oldest.hasNext()) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    /** @throws MalformedLogException when the stream has not described it, or too long ago */
    Described table(int oid) {
        Described table = tables.get(oid);
        if (table == null) {
            throw new MalformedLogException("a change of a table whose description is not known");
        }
        return table;
    }

    /** Whether a new stream should begin. */
    boolean isFull() {
        return bytes > MAX_BYTES;
    }

    long bytes() {
        return bytes;
    }
}
