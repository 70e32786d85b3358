package svc.server.gateway;

import java.time.Duration;

/** A bound on the processor time that verifications may take of each second. */
final class VerificationTime {
    private static final long SECOND_MILLIS = 1000;

    private final long nanosPerSecond;
    private long second;
    private long spent;

    VerificationTime(Duration perSecond) {
        this.nanosPerSecond = perSecond.toNanos();
    }

    /** @param nowMillis of the clock */
    synchronized boolean isSpent(long nowMillis) {
        enter(nowMillis);
        return spent >= nanosPerSecond;
    }

    synchronized void spend(long nanos, long nowMillis) {
        enter(nowMillis);
        spent += nanos;
    }

    private void enter(long nowMillis) {
        long current = nowMillis / SECOND_MILLIS;
        if (current != second) {
            second = current;
            spent = 0;
        }
    }
}
