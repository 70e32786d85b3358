package svc.database.socket;

/**
 * How much one connection may receive.
 *
 * @param answerBytes after each write: the driver keeps every parameter, notification and notice that comes
 * @param seconds how long the connection may live; 0 for no limit
 */
public record SocketLimits(long answerBytes, int seconds) {
    /** All of a login together. */
    static final long LOGIN_BYTES = 1L << 18;

    /** As the driver passes it on to {@link BoundedSockets}, for connections without a {@link SocketLogin}. */
    public String argument() {
        return answerBytes + ":" + seconds;
    }
}
