package svc.api.egress;

/** A call to an address that a tenant chose came to nothing. The message may be told to the tenant. */
public final class EgressFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EgressFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    EgressFailedException(String message) {
        this(message, null);
    }
}
