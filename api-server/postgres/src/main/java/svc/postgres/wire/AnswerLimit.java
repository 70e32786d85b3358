package svc.postgres.wire;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.ByteBudget.Verdict;

/**
 * Bounds the memory of one answer: rows and errors count, notices and row descriptions are skipped, because nothing here
 * reads them. The memory is the caller's or its project's: it is asked for when a message is announced, before its content is kept, and
 * returned with the end of the answer, which the response then counts for. Notices have a limit of their own: a function
 * can raise a million.
 */
final class AnswerLimit implements ServerMessages.ContentPolicy {
    /** program_limit_exceeded */
    private static final String TOO_LARGE = "54000";

    /** insufficient_resources */
    private static final String BUSY = "53000";

    /** What is received, and the response that is made of it. */
    private static final int COPIES = 2;

    /** An answer up to this length counts for nothing: most are shorter, and permits cost a lock. */
    private static final long FREE_BYTES = 64 << 10;

    /** NoticeResponse, RowDescription, ParameterDescription, NoData. */
    private static final String SKIPPED = "NTtn";

    private static final char NOTICE = 'N';
    private static final int HEAD_BYTES = 5;
    private static final long MAX_NOTICE_BYTES = 64L << 20;

    private final long maxBytes;
    private final Supplier<ByteBudget.Account> memory;
    private final AtomicReference<ByteBudget.Permit> permit = new AtomicReference<>();
    private long received;

    /** Skipped, but a function that raises notices without end would keep an event loop busy for all projects. */
    private long noticed;

    /**
     * @param maxBytes of content between two calls of {@link #restart}
     * @param memory whose answer comes now
     */
    AnswerLimit(long maxBytes, Supplier<ByteBudget.Account> memory) {
        this.maxBytes = maxBytes;
        this.memory = memory;
    }

    /** The next message begins another answer. */
    void restart() {
        received = 0;
        noticed = 0;
        release();
    }

    /** Returns the memory of an answer that ended, whole or not. Any thread. */
    void release() {
        ByteBudget.Permit held = permit.getAndSet(null);
        if (held != null) {
            held.close();
        }
    }

    @Override
    public ServerMessages.Content of(char type, int length) throws SQLException {
        if (type == NOTICE) {
            noticed += HEAD_BYTES + length;
            if (noticed > MAX_NOTICE_BYTES) {
                throw new SQLException(
                        "the answer's notices are larger than " + (MAX_NOTICE_BYTES >> 20) + "M", TOO_LARGE);
            }
        }
        if (SKIPPED.indexOf(type) >= 0) {
            return ServerMessages.Content.SKIPPED;
        }
        received += length;
        if (received > maxBytes) {
            throw new SQLException("the answer is larger than " + (maxBytes >> 20) + "M", TOO_LARGE);
        }
        if (received > FREE_BYTES) {
            take(length);
        }
        return ServerMessages.Content.WHOLE;
    }

    private void take(int length) throws SQLException {
        ByteBudget.Permit held = permit.get();
        if (held == null) {
            held = memory.get().open();
            permit.set(held);
        }
        Verdict verdict = held.grow((long) COPIES * length);
        if (verdict == Verdict.TOO_LARGE) {
            throw new SQLException("the answer takes more memory than a project may have", TOO_LARGE);
        }
        if (verdict == Verdict.BUSY) {
            throw new SQLException("the memory for answers of the project is in use: try again", BUSY);
        }
    }
}
