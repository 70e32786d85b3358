package svc.platform.egress;

/** A call to an address that a tenant chose failed. The message may be shown to the tenant. */
public final class EgressFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why. */
    public enum Reason {
        /** The address is none that a tenant may have us call. */
        REFUSED,
        /** Nothing answers there, or not in HTTP. */
        UNREACHABLE,
        /** It took longer than it may. */
        LATE,
        /** The project has as many calls under way as it may. */
        BUSY,
        /** The answer is longer than it may be. */
        TOO_LONG,
        /** It answered something else than a 200 where only that is of use. */
        STATUS
    }

    EgressFailedException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    EgressFailedException(Reason reason, String message) {
        this(reason, message, null);
    }

    public Reason reason() {
        return reason;
    }
}
