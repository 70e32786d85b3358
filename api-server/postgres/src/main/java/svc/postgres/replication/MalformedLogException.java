package svc.postgres.replication;

/** Bytes that are no message of the plugin pgoutput, protocol version 1. */
public final class MalformedLogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedLogException(String message) {
        super(message);
    }
}
