package svc.realtime.message;

/** A frame that is no message of the protocol. */
public final class MalformedMessage extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedMessage(String message) {
        super(message);
    }
}
