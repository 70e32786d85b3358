package svc.postgres;

/**
 * The platform database cannot be used now, and the call is not to blame: it is unreachable, was not prepared by the operator
 * yet, refuses our login or has no connection to spare. Trying again later is right.
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

    /** The SQLSTATE, or that the pool was empty: one of a few words, the same for each call that fails for one cause. */
    public String reason() {
        return reason;
    }
}
