package svc.storage.body;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import svc.platform.dataplane.BodyRules;
import svc.platform.memory.ByteBudget;
import svc.storage.http.StorageError;

/**
 * The body of a request as a stream for a virtual thread. The client is held back while little is read, and refused when
 * it sends too slowly: only the time counts in which the reader waits for it.
 */
public final class BodyReader extends InputStream {
    private static final int HIGH_WATERMARK = 128 << 10;
    private static final int LOW_WATERMARK = 32 << 10;

    /** Longer than the usual gap between bursts: only a slow client is checked for its rate. */
    private static final long RATE_CHECK_MILLIS = 250;

    private final HttpServerRequest request;
    private final Context loop;
    private final BodyRules rules;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Buffer> waiting = new ArrayDeque<>();
    private int position;
    private long bytesWaiting;
    private long received;
    private long waitedNanos;
    private final ByteBudget.Permit ahead;
    private boolean begun;
    private boolean paused;
    private boolean ended;
    private boolean broken;

    private BodyReader(HttpServerRequest request, Context loop, BodyRules rules, ByteBudget.Permit ahead) {
        this.request = request;
        this.loop = loop;
        this.rules = rules;
        this.ahead = ahead;
    }

    /**
     * Called on the event loop; the body of a paused request begins to arrive with {@link #begin}.
     *
     * @param ahead holds what was read ahead until then, or until the request ends
     */
    static BodyReader of(HttpServerRequest request, BodyRules rules, ByteBudget.Permit ahead) {
        var reader = new BodyReader(request, Vertx.currentContext(), rules, ahead);
        request.handler(reader::add);
        request.endHandler(end -> reader.finish(false));
        request.exceptionHandler(gone -> reader.finish(true));
        if (request.response().closed()) {
            // The client has left while its credentials were checked: no further event comes.
            reader.finish(true);
        }
        return reader;
    }

    /** Starts reading: sends {@code 100 Continue} to a client that waits for it, and resumes the request. Idempotent. */
    public void begin() {
        if (begun) {
            return;
        }
        begun = true;
        // What arrives from now on, the upload is charged for.
        ahead.close();
        loop.runOnContext(now -> {
            if ("100-continue".equalsIgnoreCase(request.getHeader("expect"))
                    && !request.response().headWritten()) {
                request.response().writeContinue();
            }
            request.resume();
        });
    }

    private void add(Buffer chunk) {
        lock.lock();
        try {
            waiting.add(chunk);
            bytesWaiting += chunk.length();
            received += chunk.length();
            if (bytesWaiting > HIGH_WATERMARK && !paused) {
                paused = true;
                request.pause();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void finish(boolean early) {
        ahead.close();
        lock.lock();
        try {
            broken |= early && !ended;
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** @throws StorageError when the client is too slow or has left */
    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try {
            await();
            Buffer first = waiting.peek();
            if (first == null) {
                return -1;
            }
            int count = Math.min(length, first.length() - position);
            first.getBytes(position, position + count, target, offset);
            position += count;
            bytesWaiting -= count;
            if (position == first.length()) {
                waiting.poll();
                position = 0;
            }
            if (paused && bytesWaiting < LOW_WATERMARK) {
                paused = false;
                loop.runOnContext(now -> request.resume());
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    private void await() {
        while (waiting.isEmpty() && !ended) {
            long begun = System.nanoTime();
            try {
                // After a signal or a timeout, the loop checks its conditions again.
                boolean woken = changed.await(RATE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
                waitedNanos += System.nanoTime() - begun;
                if (!woken && rules.tooSlow(received, waitedNanos / 1_000_000)) {
                    throw StorageError.tooSlow();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw StorageError.cutOff();
            }
        }
        if (waiting.isEmpty() && broken) {
            throw StorageError.cutOff();
        }
    }

    /** The work is over: what is still sent is discarded. */
    @Override
    public void close() {
        ahead.close();
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return (int) Math.min(Integer.MAX_VALUE, bytesWaiting);
        } finally {
            lock.unlock();
        }
    }
}
