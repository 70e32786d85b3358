package svc.postgres;

/**
 * The platform database is unavailable: unreachable, not prepared by the operator yet, refusing the login, or without a
 * free connection. A later retry may succeed.
 */
public final class PlatformUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String NO_CONNECTION = "no free connection";

    private final String reason;

    public PlatformUnavailable(SqlError cause) {
        super(cause.getMessage(), cause, false, false);
        this.reason = cause.sqlState();
    }

    public PlatformUnavailable(PoolExhausted cause) {
        super(cause.getMessage(), cause, false, false);
        this.reason = NO_CONNECTION;
    }

    /** The SQLSTATE, or a constant for an exhausted pool: the same for each call that fails for one cause. */
    public String reason() {
        return reason;
    }
}
