package svc.management.postgres;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/** A connection with a deadline, after which it is closed whatever either side does. */
final class ClientSocket {
    private static final long NEVER = Long.MAX_VALUE;

    private final Socket plain;
    private final Duration stalled;
    private volatile long endsAt;

    /** @param login by when the client must have signed in */
    ClientSocket(Socket plain, Duration login, Duration stalled) {
        this.plain = plain;
        this.stalled = stalled;
        this.endsAt = System.nanoTime() + login.toNanos();
    }

    Socket plain() {
        return plain;
    }

    /** An answer is being written: it has its time, of which a reader that takes little gets no more. */
    void answering() {
        if (endsAt == NEVER) {
            endsAt = System.nanoTime() + stalled.toNanos();
        }
    }

    /** All that was to be said has been taken. */
    void answered() {
        endsAt = NEVER;
    }

    void closeIfLate(long now) {
        long end = endsAt;
        if (end != NEVER && now - end > 0) {
            close();
        }
    }

    void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // The socket is gone, which is what was wanted.
            return;
        }
    }
}
