package svc.storage.object;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes a body from a virtual thread, as fast as the reader takes it. A reader that takes nothing is disconnected by the
 * gateway, which ends the wait.
 */
public final class Sender {
    private static final int PIECE = 64 << 10;
    private static final long LOOK_SECONDS = 1;

    private final HttpServerResponse response;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    public Sender(HttpServerResponse response) {
        this.response = response;
        response.closeHandler(gone -> signal());
        response.exceptionHandler(broken -> signal());
    }

    /** False when the reader has left. */
    public boolean send(byte[] bytes) {
        for (int at = 0; at < bytes.length; at += PIECE) {
            if (!awaitRoom()) {
                return false;
            }
            int end = Math.min(bytes.length, at + PIECE);
            response.write(Buffer.buffer(end - at).appendBytes(bytes, at, end - at));
        }
        return true;
    }

    private boolean awaitRoom() {
        lock.lock();
        try {
            while (!response.closed() && response.writeQueueFull()) {
                response.drainHandler(room -> signal());
                if (response.writeQueueFull()) {
                    boolean woken = changed.await(LOOK_SECONDS, TimeUnit.SECONDS);
                    if (!woken) {
                        // The loop checks again: the signal may have come before the handler was set.
                        continue;
                    }
                }
            }
            return !response.closed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
