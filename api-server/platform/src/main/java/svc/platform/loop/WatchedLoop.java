package svc.platform.loop;

import io.netty.util.concurrent.EventExecutor;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * One event loop. What arrives on a connection is measured where it runs ({@link #begin} and {@link #end}). For every other task,
 * such as the answer of a database, {@link #sample} sends a heartbeat through the loop and looks where it is when the heartbeat
 * is late. A loop on which nothing has arrived gets no heartbeats: at rest it is not woken. Time in which the whole process stood
 * still, as during a collection of garbage, is no task's. A task that blocks the loop uses no processor, and is found by the state of
 * the loop's thread where the clock is one of processor time.
 */
public final class WatchedLoop {
    /** Of a task that no connection has begun. */
    private static final String NO_REQUEST = "a task that no request has begun directly";

    private static final String OWN_CODE = "svc.";

    private final EventExecutor loop;
    private final ToLongFunction<Thread> clock;
    private final long limit;
    private final Consumer<SlowTask> report;

    private volatile Supplier<String> route;
    private volatile Thread thread;
    private volatile boolean active;
    private volatile long reported;
    private volatile long readAtArrival;
    private volatile boolean arrived;

    // Of the thread that samples alone.
    private long sentAt;
    private long readAtSending;
    private long pausedBefore;
    private long blocked;
    private long sampledAt;
    private boolean sent;

    private volatile Optional<String> frame = Optional.empty();

    /**
     * @param clock of a loop's thread, in nanoseconds: its processor time, or the time that passes
     * @param limit in nanoseconds; what takes longer is reported
     */
    WatchedLoop(EventExecutor loop, ToLongFunction<Thread> clock, long limit, Consumer<SlowTask> report) {
        this.loop = loop;
        this.clock = clock;
        this.limit = limit;
        this.report = report;
    }

    /** A loop whose tasks are not reported, for a test or a program without a log. */
    public static WatchedLoop unwatched(EventExecutor loop) {
        return new WatchedLoop(loop, thread -> 0, Long.MAX_VALUE, task -> {});
    }

    /**
     * On the loop, before a task.
     *
     * @param route names the task when it turns out to be slow
     * @return for {@link #end}
     */
    public long begin(Supplier<String> route) {
        this.route = route;
        if (!active) {
            thread = Thread.currentThread();
            active = true;
        }
        return clock.applyAsLong(Thread.currentThread());
    }

    /** On the loop, after the task, whether it has failed or not. */
    public void end(long begun) {
        long nanos = clock.applyAsLong(Thread.currentThread()) - begun;
        Supplier<String> named = route;
        route = null;
        if (nanos > limit && named != null) {
            reported = System.nanoTime();
            report.accept(new SlowTask(name(), named.get(), nanos, frame));
        }
    }

    /**
     * Called from time to time by a thread of its own.
     *
     * @param paused for how long the process stood still since its start, as that thread has noticed and the clock has counted, in
     *     nanoseconds
     */
    void sample(long paused) {
        Thread of = thread;
        if (!sent) {
            if (active && of != null) {
                active = false;
                frame = Optional.empty();
                pausedBefore = paused;
                blocked = 0;
                sentAt = System.nanoTime();
                sampledAt = sentAt;
                readAtSending = clock.applyAsLong(of);
                arrived = false;
                sent = send();
            }
        } else if (arrived) {
            // Judged by the sampling thread: after a pause the loop may go on before that thread has counted it.
            long nanos = readAtArrival - readAtSending - (paused - pausedBefore);
            judge(Math.max(nanos, blocked));
            sent = false;
        } else {
            long now = System.nanoTime();
            // The loop has work, and its thread waits for something.
            if (of.getState() != Thread.State.RUNNABLE) {
                blocked += now - sampledAt;
            }
            sampledAt = now;
            if (frame.isEmpty() && now - sentAt > limit) {
                frame = frame();
            }
        }
    }

    /** Whether the loop takes it; it does not when it ends with its server. */
    private boolean send() {
        try {
            loop.execute(() -> {
                readAtArrival = clock.applyAsLong(Thread.currentThread());
                arrived = true;
            });
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void judge(long nanos) {
        if (nanos > limit && reported - sentAt < 0) {
            report.accept(new SlowTask(name(), NO_REQUEST, nanos, frame));
        }
    }

    private Optional<String> frame() {
        Thread of = thread;
        return of == null ? Optional.empty() : ownCode(of);
    }

    /** The innermost line of the platform's own code that a thread runs. */
    public static Optional<String> ownCode(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .filter(line -> line.getClassName().startsWith(OWN_CODE)
                        && !line.getClassName().startsWith(WatchedLoop.class.getPackageName()))
                .findFirst()
                .map(line -> line.getClassName() + "." + line.getMethodName() + ":" + line.getLineNumber());
    }

    private String name() {
        Thread of = thread;
        return of == null ? loop.toString() : of.getName();
    }
}
