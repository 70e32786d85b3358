package svc.postgres.wire;

import java.sql.SQLException;

/**
 * Bounds the memory of one answer: rows and errors count, notices and row descriptions are skipped, because nothing here
 * reads them and a function can raise a million notices.
 */
final class AnswerLimit implements ServerMessages.ContentPolicy {
    /** program_limit_exceeded */
    private static final String TOO_LARGE = "54000";

    /** NoticeResponse, RowDescription, ParameterDescription, NoData. */
    private static final String SKIPPED = "NTtn";

    private final long maxBytes;
    private long received;

    /** @param maxBytes of content between two calls of {@link #restart} */
    AnswerLimit(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** The next message begins another answer. */
    void restart() {
        received = 0;
    }

    @Override
    public ServerMessages.Content of(char type, int length) throws SQLException {
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
