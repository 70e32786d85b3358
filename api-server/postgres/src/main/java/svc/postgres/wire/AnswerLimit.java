package svc.postgres.wire;

import java.sql.SQLException;

/**
 * Bounds the memory of one answer: rows and errors count, notices and row descriptions are skipped, because nothing here
 * reads them. Notices have a limit of their own: a function can raise a million.
 */
final class AnswerLimit implements ServerMessages.ContentPolicy {
    /** program_limit_exceeded */
    private static final String TOO_LARGE = "54000";

    /** NoticeResponse, RowDescription, ParameterDescription, NoData. */
    private static final String SKIPPED = "NTtn";

    private static final char NOTICE = 'N';
    private static final int HEAD_BYTES = 5;
    private static final long MAX_NOTICE_BYTES = 64L << 20;

    private final long maxBytes;
    private long received;

    /** Skipped, but a function that raises notices without end would keep an event loop busy for all projects. */
    private long noticed;

    /** @param maxBytes of content between two calls of {@link #restart} */
    AnswerLimit(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** The next message begins another answer. */
    void restart() {
        received = 0;
        noticed = 0;
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
        return ServerMessages.Content.WHOLE;
    }
}
