package svc.postgres.flush;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import svc.platform.memory.ByteBudget;
import svc.postgres.wire.DataRow;

/**
 * Receives the results of the statements of one write, in their order. Records how far the server got, which an error
 * alone does not say: a request may be retried only if its transaction was not committed.
 */
final class FlushResult {
    private static final byte[] COMMIT = "COMMIT\0".getBytes(StandardCharsets.US_ASCII);

    private final int opening;
    private final int mainQuery;
    private final UnaryOperator<ByteBudget.Account> payer;
    private final List<byte[][]> rows = new ArrayList<>(1);
    private int completed;
    private boolean committed;
    private boolean unsent;
    private boolean outdated;

    /**
     * Of a flush of the caller alone.
     *
     * @param mainQuery the number of the statement whose row is wanted
     * @param payer whose memory the answer takes, of a project's
     */
    FlushResult(int mainQuery, UnaryOperator<ByteBudget.Account> payer) {
        this(0, mainQuery, payer);
    }

    /** @param opening statements before those of the request */
    FlushResult(int opening, int mainQuery, UnaryOperator<ByteBudget.Account> payer) {
        this.opening = opening;
        this.mainQuery = mainQuery;
        this.payer = payer;
    }

    /** Of a write without a main query. */
    static FlushResult ofNoRow() {
        return new FlushResult(-1, UnaryOperator.identity());
    }

    /** Whose memory the answer takes. */
    ByteBudget.Account payer(ByteBudget.Account project) {
        return payer.apply(project);
    }

    /** The last write found its connection closed. */
    void unsent() {
        unsent = true;
    }

    /** A statement was refused before it ran, perhaps because it had been prepared before a change of the schema. */
    void outdated() {
        outdated = true;
    }

    /** Whether the error may be that of an outdated prepared statement: nothing of it ran. */
    boolean isOutdated() {
        return outdated;
    }

    /** A row of the statement that runs now. */
    void row(ByteBuf content) {
        if (completed != mainQuery) {
            return;
        }
        rows.add(DataRow.read(content));
    }

    /** A statement is done; an aborted transaction answers COMMIT with ROLLBACK. */
    void completed(ByteBuf tag) {
        committed |= tag.readableBytes() == COMMIT.length && startsWithCommit(tag);
        completed++;
    }

    private static boolean startsWithCommit(ByteBuf tag) {
        for (int i = 0; i < COMMIT.length; i++) {
            if (tag.getByte(tag.readerIndex() + i) != COMMIT[i]) {
                return false;
            }
        }
        return true;
    }

    /** An empty statement is done. */
    void completed() {
        completed++;
    }

    /** Whether no statement of the request was executed, although they were sent. */
    boolean nothingRan() {
        return completed <= opening;
    }

    /** How many statements are done. */
    int completedStatements() {
        return completed;
    }

    /** Whether the main query has returned all of its rows. */
    boolean answered() {
        return completed > mainQuery;
    }

    /** Whether the last write, the only one that commits, was never sent. */
    boolean notSent() {
        return unsent;
    }

    /** Whether the server confirmed the end of the transaction. */
    boolean committed() {
        return committed;
    }

    /**
     * The main query's row; valid once the write has been answered, or the transaction is known to be committed. The
     * lines of an EXPLAIN are one row, whose only column has them all.
     */
    FlushRow onlyRow() {
        if (rows.size() > 1 && rows.getFirst().length == 1) {
            return new FlushRow(new byte[][] {lines()});
        }
        if (rows.size() != 1) {
            throw new IllegalStateException("the main query gave " + rows.size() + " rows instead of one");
        }
        return new FlushRow(rows.getFirst());
    }

    private byte[] lines() {
        var lines = new ByteArrayOutputStream();
        for (byte[][] row : rows) {
            lines.writeBytes(row[0]);
            lines.write('\n');
        }
        return lines.toByteArray();
    }
}
