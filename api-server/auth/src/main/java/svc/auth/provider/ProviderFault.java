package svc.auth.provider;

/**
 * A provider did not answer as it should, or what it says is not believed. The message is for the project's developer and
 * holds nothing secret.
 */
public final class ProviderFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** Whose turn it is. */
    public enum Kind {
        /** Nothing of use comes from the provider; it may be well again later. */
        AWAY,
        /** What was shown is not believed, and will not be later. */
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
