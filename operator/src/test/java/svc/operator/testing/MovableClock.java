package svc.operator.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** The time of day plus what a test added to it. */
public final class MovableClock implements InstantSource {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead.get());
    }

    public void advance(Duration by) {
        ahead.updateAndGet(now -> now.plus(by));
    }
}
