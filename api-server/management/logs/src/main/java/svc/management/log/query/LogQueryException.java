package svc.management.log.query;

/** A log query that is not supported; the message says which part, for its author. */
public final class LogQueryException extends RuntimeException {
    public LogQueryException(String message) {
        super(message);
    }
}
