package svc.management.postgres;

/** What a client sent cannot be read, so that nothing behind it can be read either: the connection ends. */
final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String sqlState;

    ProtocolException(String sqlState, String message) {
        super(message, null, false, false);
        this.sqlState = sqlState;
    }

    static ProtocolException violation(String message) {
        return new ProtocolException("08P01", message);
    }

    String sqlState() {
        return sqlState;
    }
}
