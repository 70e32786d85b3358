package svc.functions.log;

/** Redis is unreachable, so log lines cannot be read or stored. */
public final class LogUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogUnavailableException(Throwable cause) {
        super("Redis, which stores the function logs, does not respond", cause);
    }
}
