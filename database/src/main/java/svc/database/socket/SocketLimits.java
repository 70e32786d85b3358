package svc.database.socket;

/**
 * How much one connection may receive.
 *
 * @param loginBytes during the login: the driver keeps every parameter that the server reports
 * @param answerBytes from then on, after each write: the driver keeps every notification and every notice
 * @param seconds how long the connection may live; 0 for no limit
 */
public record SocketLimits(long loginBytes, long answerBytes, int seconds) {
    private static final long LOGIN_BYTES = 1L << 18;

    /** With the usual limit for a login. */
    public SocketLimits(long answerBytes, int seconds) {
        this(LOGIN_BYTES, answerBytes, seconds);
    }

    /** As one text, for {@link #parse}. */
    String text() {
        return loginBytes + ":" + answerBytes + ":" + seconds;
    }

    static SocketLimits parse(String text) {
        String[] parts = text.split(":", -1);
        return new SocketLimits(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
    }
}
