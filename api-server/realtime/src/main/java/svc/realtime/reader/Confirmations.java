package svc.realtime.reader;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import svc.postgres.replication.WalStream;

/**
 * Publishes what a stream has read, and confirms a position to the server when Redis has everything before it. Used by the
 * reading thread, except where a method says otherwise.
 */
final class Confirmations {
    private static final Duration REPORT = Duration.ofSeconds(1);

    /** A stream that never pauses is confirmed so often. */
    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final WalStream stream;
    private final VisibleCommits visible;
    private final OpenBatches batches;
    private final InFlight inFlight;
    private final BooleanSupplier stopped;
    private long confirmable;
    private long confirming;
    private long confirmedAt = System.nanoTime();
    private final AtomicLong accepted = new AtomicLong();

    /** @param stopped whether to wait no more */
    Confirmations(OpenStream source, OpenBatches batches, InFlight inFlight, BooleanSupplier stopped) {
        this.stream = source.stream();
        this.visible = source.visible();
        this.batches = batches;
        this.inFlight = inFlight;
        this.stopped = stopped;
    }

    /** Everything before this byte of the log has been read. */
    void readUntil(long position) throws InterruptedException {
        confirmable = Math.max(confirmable, position);
        if (System.nanoTime() - confirmedAt > INTERVAL_NANOS) {
            flush();
        }
    }

    /** Publishes what is open, and waits until Redis has place for more; the server must hear from its reader meanwhile. */
    void flush() throws InterruptedException {
        publish();
        while (!stopped.getAsBoolean() && !inFlight.hasPlace(REPORT)) {
            stream.report();
        }
    }

    /** Publishes what is open, and confirms what was read when Redis has it. What fails stays open, and is not confirmed. */
    void publish() {
        visible.await();
        batches.publish();
        confirmedAt = System.nanoTime();
        if (confirmable > confirming) {
            long position = confirmable;
            confirming = position;
            inFlight.whenAccepted(() -> {
                accept(position);
                stream.confirm(position);
            });
        }
    }

    /** Waits until Redis has all. */
    void awaitAll() throws InterruptedException {
        while (!stopped.getAsBoolean() && !inFlight.isAccepted(REPORT)) {
            stream.report();
        }
    }

    /** What is before this byte of the log needs no confirmation by Redis. */
    void pass(long position) {
        accept(position);
        // For another process that begins first: without it the transaction is read up to the limit again.
        stream.confirm(accepted.get());
    }

    private void accept(long position) {
        accepted.accumulateAndGet(position, Math::max);
    }

    /** Everything before this byte of the log has been accepted by Redis; 0 when nothing has. Any thread. */
    long accepted() {
        return accepted.get();
    }
}
