package svc.database.socket;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One login: until it is closed, all that its connection receives counts together, and may be little. The driver makes
 * the socket by itself and gives only a text to its factory, so the text names the login.
 */
public final class SocketLogin implements AutoCloseable {
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final Map<Long, SocketLogin> OPEN = new ConcurrentHashMap<>();

    private final long number = NUMBERS.incrementAndGet();
    private final SocketLimits limits;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.LOGGING_IN);

    /** Of the connection. */
    enum Phase {
        LOGGING_IN,
        LOGGED_IN,
        /** The driver may go on with a login for which nothing waits any more. */
        ABANDONED
    }

    private SocketLogin(SocketLimits limits) {
        this.limits = limits;
    }

    public static SocketLogin begin(SocketLimits limits) {
        var login = new SocketLogin(limits);
        OPEN.put(login.number, login);
        return login;
    }

    /** For {@link BoundedSockets}. */
    public String argument() {
        return limits.argument() + ":" + number;
    }

    /** As the text says; one that names none has no limit but that of answers. */
    static SocketLogin of(String argument) {
        String[] parts = argument.split(":", -1);
        SocketLogin open = parts.length > 2 ? OPEN.get(Long.valueOf(parts[2])) : null;
        if (open != null) {
            return open;
        }
        var none = new SocketLogin(new SocketLimits(Long.parseLong(parts[0]), Integer.parseInt(parts[1])));
        none.succeeded();
        return none;
    }

    SocketLimits limits() {
        return limits;
    }

    Phase phase() {
        return phase.get();
    }

    /** From now on the connection is entitled to answers. */
    public void succeeded() {
        phase.set(Phase.LOGGED_IN);
    }

    /** A login that has not succeeded until now is given up. */
    @Override
    public void close() {
        phase.compareAndSet(Phase.LOGGING_IN, Phase.ABANDONED);
        OPEN.remove(number);
    }
}
