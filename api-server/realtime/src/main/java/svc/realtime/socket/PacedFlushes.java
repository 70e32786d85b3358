package svc.realtime.socket;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The flushes of one event loop's sockets that may wait for more to write. A loop that was quiet flushes at the end of its turn;
 * one that is not flushes once in each interval, so that the number of writes to sockets follows the time and not the messages.
 */
final class PacedFlushes {
    /** The longest wait: a tenth of what people notice, and many changes of a busy table. */
    static final Duration INTERVAL = Duration.ofMillis(4);

    private static final FastThreadLocal<PacedFlushes> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected PacedFlushes initialValue() {
            return new PacedFlushes();
        }
    };

    private List<Connection> waiting = new ArrayList<>();
    private boolean scheduled;
    private long flushed = System.nanoTime() - INTERVAL.toNanos();

    private PacedFlushes() {}

    /** On an event loop. */
    static PacedFlushes ofThisLoop() {
        return OF_LOOP.get();
    }

    /** @param connection of this loop, which does not wait yet */
    void add(Connection connection) {
        waiting.add(connection);
        if (!scheduled) {
            scheduled = true;
            schedule(connection.loop(), flushed + INTERVAL.toNanos() - System.nanoTime());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The loop runs it, or has ended with its sockets.
    private void schedule(EventLoop loop, long nanos) {
        if (nanos <= 0) {
            loop.execute(this::flush);
        } else {
            loop.schedule(this::flush, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void flush() {
        scheduled = false;
        flushed = System.nanoTime();
        List<Connection> now = waiting;
        waiting = new ArrayList<>(now.size());
        now.forEach(Connection::flushPaced);
    }
}
