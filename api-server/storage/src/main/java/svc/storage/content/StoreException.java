package svc.storage.content;

import java.io.Serial;

/** The store failed, is not reachable, not configured, or too busy. */
public final class StoreException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** What can be done about it. */
    public enum Kind {
        /** Try again. */
        FAILED,
        /** The store has no space left: trying again does not help. */
        FULL,
        /** The project uses its share of connections. */
        BUSY,
        /** The platform's settings are incomplete. */
        NOT_CONFIGURED
    }

    StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
