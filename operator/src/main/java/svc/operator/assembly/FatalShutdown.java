package svc.operator.assembly;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells whoever has the process that its operator cannot go on. Once, and on a thread of its own: those who find out are
 * threads of the SDK, which a stop waits for.
 */
final class FatalShutdown implements Runnable {
    private final Runnable whenItMustEnd;
    private final AtomicBoolean told = new AtomicBoolean();

    FatalShutdown(Runnable whenItMustEnd) {
        this.whenItMustEnd = whenItMustEnd;
    }

    @Override
    public void run() {
        if (told.compareAndSet(false, true)) {
            Thread.ofPlatform().name("svc-unplanned-end").start(whenItMustEnd);
        }
    }
}
