package svc.platform.dataplane;

/** Thrown by a service when a system behind it fails or does not respond; the gateway answers 502. */
public final class UpstreamFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message for the log only; the client does not see it */
    public UpstreamFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
