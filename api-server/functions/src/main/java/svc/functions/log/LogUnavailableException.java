package svc.functions.log;

/** The lines cannot be read or kept now, because Redis does not answer. */
public final class LogUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogUnavailableException(Throwable cause) {
        super("Redis, which keeps the log lines of functions, does not answer", cause);
    }
}
