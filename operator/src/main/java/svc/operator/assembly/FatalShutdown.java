package svc.operator.assembly;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls the owner of the process after a fatal failure of the operator. Once, and on a new thread: the callers are threads of
 * the SDK, which a stop waits for.
 */
final class FatalShutdown implements Runnable {
    private final Runnable onFatal;
    private final AtomicBoolean called = new AtomicBoolean();

    FatalShutdown(Runnable onFatal) {
        this.onFatal = onFatal;
    }

    @Override
    public void run() {
        if (called.compareAndSet(false, true)) {
            Thread.ofPlatform().name("svc-fatal-shutdown").start(onFatal);
        }
    }
}
