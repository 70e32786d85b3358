package svc.sqlgate.parser;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import svc.platform.memory.ByteBudget;

/**
 * The memory of one reading, in the account of the organisation for which it reads. Where others hold what is missing, it
 * waits for that, since a reading takes a moment; never for long, since it may itself hold what another waits for.
 */
final class ReadingMemory implements AutoCloseable {
    /** A script that needs more is refused, whatever the machine has. */
    static final long MAX_BYTES = 80L << 20;

    /** Between two attempts. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final ByteBudget.Permit permit;
    private final long patienceNanos;
    private final AtomicLong taken = new AtomicLong();

    /** @param patience the longest wait for memory that others hold */
    ReadingMemory(ByteBudget.Account account, Duration patience) {
        this.permit = account.open();
        this.patienceNanos = patience.toNanos();
    }

    /** In bytes. */
    long taken() {
        return taken.get();
    }

    /** @throws MemoryRefusedException if a text cannot have so much, or others hold it */
    void take(long bytes) throws MemoryRefusedException {
        if (taken.get() + bytes > MAX_BYTES) {
            throw new MemoryRefusedException(RefusedReason.TREE_TOO_LARGE);
        }
        long end = System.nanoTime() + patienceNanos;
        while (true) {
            switch (permit.grow(bytes)) {
                case GRANTED -> {
                    taken.addAndGet(bytes);
                    return;
                }
                case TOO_LARGE -> throw new MemoryRefusedException(RefusedReason.TREE_TOO_LARGE);
                case BUSY -> {
                    if (System.nanoTime() > end || !paused()) {
                        throw new MemoryRefusedException(RefusedReason.NO_MEMORY);
                    }
                }
            }
        }
    }

    private static boolean paused() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
        permit.giveBack(bytes);
    }

    @Override
    public void close() {
        permit.close();
    }
}
