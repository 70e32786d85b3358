package svc.api.db;

import java.io.ByteArrayOutputStream;
import java.sql.SQLWarning;
import java.util.List;
import org.postgresql.core.Field;
import org.postgresql.core.Query;
import org.postgresql.core.ResultCursor;
import org.postgresql.core.ResultHandlerBase;
import org.postgresql.core.Tuple;

/**
 * Receives what the statements of one write answer, in their order. It knows how far the server came, which an exception
 * alone does not tell: whether a transaction was committed decides whether a request may be tried again.
 */
final class FlushResult extends ResultHandlerBase {
    private final int mainQuery;
    private int completed;
    private boolean committed;
    private List<Tuple> rows = List.of();

    /** @param mainQuery the number of the statement whose row is wanted */
    FlushResult(int mainQuery) {
        this.mainQuery = mainQuery;
    }

    /** Of a write without a main query. */
    static FlushResult ofNoRow() {
        return new FlushResult(-1);
    }

    @Override
    public void handleResultRows(Query from, Field[] fields, List<Tuple> tuples, ResultCursor cursor) {
        if (completed == mainQuery) {
            rows = tuples;
        }
        completed++;
    }

    @Override
    public void handleCommandStatus(String status, long updateCount, long insertOid) {
        // An aborted transaction answers COMMIT with ROLLBACK.
        committed |= status.equals("COMMIT");
        completed++;
    }

    /** Dropped: a function that raises a million notices would fill the heap. */
    @Override
    public void handleWarning(SQLWarning warning) {}

    /** Whether the first statement was not even begun. */
    boolean nothingRan() {
        return completed == 0;
    }

    /** Whether the server confirmed the end of the transaction. */
    boolean committed() {
        return committed;
    }

    /**
     * The main query's row; valid once the write has returned, or the transaction is known to be committed. The lines of an
     * EXPLAIN are one row, whose only column has them all.
     */
    FlushRow onlyRow() {
        if (rows.size() > 1 && rows.getFirst().fieldCount() == 1) {
            return new FlushRow(new byte[][] {lines()});
        }
        if (rows.size() != 1) {
            throw new IllegalStateException("the main query gave " + rows.size() + " rows instead of one");
        }
        Tuple tuple = rows.getFirst();
        byte[][] columns = new byte[tuple.fieldCount()][];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = tuple.get(i);
        }
        return new FlushRow(columns);
    }

    private byte[] lines() {
        var lines = new ByteArrayOutputStream();
        for (Tuple tuple : rows) {
            lines.writeBytes(tuple.get(0));
            lines.write('\n');
        }
        return lines.toByteArray();
    }
}
