package svc.auth.provider;

/**
 * A provider is unavailable, or its answer is not valid. The message is for the project's developer, without secrets.
 */
public final class ProviderFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** Whether a retry may succeed. */
    public enum Kind {
        /** The provider is unavailable; a retry may succeed. */
        AWAY,
        /** The token or the code is not valid; a retry fails again. */
        REFUSED
    }

    private ProviderFault(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    ProviderFault(String message) {
        this(Kind.REFUSED, message);
    }

    static ProviderFault away(String message) {
        return new ProviderFault(Kind.AWAY, message);
    }

    public Kind kind() {
        return kind;
    }
}
