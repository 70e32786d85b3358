package svc.embedded.kubernetes.http;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.store.Change;
import svc.embedded.kubernetes.store.ObjectStore;

/**
 * One watch: takes changes from the store's writers without making them wait, and writes them as fast as its client
 * reads. A client that falls too far behind is cut off; it then lists again.
 */
final class WatchStream {
    private static final int MAX_BACKLOG = 20_000;
    private static final long BOOKMARK_MILLIS = 30_000;

    private final Context context;
    private final WriteStream<Buffer> out;
    private final WatchRequest request;
    private final WatchEvents events;
    private final Queue<Object> backlog = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private ObjectStore.Subscription subscription = () -> {};
    private volatile boolean ended;

    /** A mark in the backlog: the version at which the replay ended. */
    private record ReplayEnd(long version) {}

    WatchStream(Context context, WriteStream<Buffer> out, WatchRequest request) {
        this.context = context;
        this.out = out;
        this.request = request;
        this.events = new WatchEvents(request);
    }

    /** Begins; on the context. */
    void start(ObjectStore store) {
        out.drainHandler(drained -> drain());
        out.exceptionHandler(broken -> stop());
        try {
            subscription = store.watch(
                    request.scope(), request.after(), version -> offer(new ReplayEnd(version)), this::offer);
        } catch (ApiFailure expired) {
            write(events.failure(expired));
            end();
            return;
        }
        var vertx = context.owner();
        long timeout = vertx.setTimer(request.timeoutSeconds() * 1000, timer -> end());
        long bookmarks = request.bookmarks() ? vertx.setPeriodic(BOOKMARK_MILLIS, timer -> bookmark(store)) : -1;
        onStop = () -> {
            vertx.cancelTimer(timeout);
            vertx.cancelTimer(bookmarks);
        };
    }

    private Runnable onStop = () -> {};

    /** Ends without a word: the client is gone. */
    void stop() {
        ended = true;
        subscription.close();
        onStop.run();
        backlog.clear();
    }

    private void end() {
        if (!ended) {
            stop();
            out.end();
        }
    }

    private void offer(Object entry) {
        if (ended) {
            return;
        }
        backlog.add(entry);
        waiting.incrementAndGet();
        if (scheduled.compareAndSet(false, true)) {
            context.runOnContext(now -> drain());
        }
    }

    private void drain() {
        scheduled.set(false);
        if (waiting.get() > MAX_BACKLOG) {
            end();
            return;
        }
        while (!ended && !out.writeQueueFull()) {
            Object entry = backlog.poll();
            if (entry == null) {
                return;
            }
            waiting.decrementAndGet();
            switch (entry) {
                case Change change -> events.of(change).ifPresent(this::write);
                case ReplayEnd end -> {
                    if (request.announcesInitialEnd()) {
                        write(events.bookmark(end.version(), true));
                    }
                }
                default -> throw new IllegalStateException("not an entry of a watch: " + entry);
            }
        }
    }

    // The version is read first: changes up to it that are still on their way are already in the backlog.
    private void bookmark(ObjectStore store) {
        long version = store.version();
        if (backlog.isEmpty()) {
            write(events.bookmark(version, false));
        }
    }

    private void write(byte[] event) {
        if (!ended) {
            out.write(Buffer.buffer(event));
        }
    }
}
