package svc.server.gateway;

/** What a service throws when something behind it failed or did not answer; the gateway makes it a 502. */
public final class UpstreamFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message for our log; the caller sees none of it */
    public UpstreamFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
