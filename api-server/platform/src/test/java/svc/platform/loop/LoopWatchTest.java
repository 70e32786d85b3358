package svc.platform.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promise: what holds an event loop for more than its limit is reported with its route; what does not is not. */
class LoopWatchTest {
    private static final long LIMIT = TimeUnit.MILLISECONDS.toNanos(100);

    private final EventExecutor loop = new DefaultEventExecutor();
    private final BlockingQueue<SlowTask> reported = new LinkedBlockingQueue<>();
    private final AtomicLong clock = new AtomicLong();
    private final WatchedLoop watched = new WatchedLoop(loop, thread -> clock.get(), LIMIT, reported::add);

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private void arrives(String route, long nanos) throws Exception {
        loop.submit(() -> {
                    long begun = watched.begin(() -> route);
                    clock.addAndGet(nanos);
                    watched.end(begun);
                })
                .get();
    }

    @Test
    void aSlowTaskIsReportedWithItsRoute() throws Exception {
        arrives("GET /rest/v1/* of project abcd2345", LIMIT);
        assertThat(reported).isEmpty();

        arrives("GET /rest/v1/* of project abcd2345", 3 * LIMIT);

        assertThat(reported.remove().toString())
                .contains("was held for 300 ms by GET /rest/v1/* of project abcd2345")
                .contains("Other requests on it waited.");
        assertThat(reported).isEmpty();
    }

    @Test
    void anotherTaskOfTheLoopIsReportedWithItsCode() throws Exception {
        arrives("a request", 0);
        var held = new CountDownLatch(1);
        loop.execute(() -> hold(held));
        // Until the heartbeat is late by the limit, and a sample was taken.
        for (long end = System.nanoTime() + 3 * LIMIT; System.nanoTime() < end; ) {
            watched.sample(0);
            Thread.sleep(5);
        }
        held.countDown();
        loop.submit(() -> {}).get();
        watched.sample(0);

        SlowTask slow = reported.poll();

        assertThat(slow).isNotNull();
        assertThat(slow.what()).contains("no request has begun");
        assertThat(slow.nanos()).isGreaterThan(LIMIT);
        assertThat(slow.loop()).isNotBlank();
    }

    /** Such as a collection of garbage: the loop did nothing, and neither did any other thread. */
    @Test
    void aPauseOfTheWholeProcessIsNoTask() throws Exception {
        arrives("a request", 0);
        watched.sample(0);
        loop.submit(() -> {}).get();
        var held = new CountDownLatch(1);
        watched.sample(0);
        arrives("a request", 0);
        loop.execute(() -> hold(held));
        watched.sample(0);
        clock.addAndGet(3 * LIMIT);
        held.countDown();
        loop.submit(() -> {}).get();

        watched.sample(3 * LIMIT);

        assertThat(reported).isEmpty();
    }

    private static void hold(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A process at rest is not woken. */
    @Test
    void aLoopOnWhichNothingArrivesGetsNoHeartbeat() {
        var tasks = new AtomicLong();
        var quiet = new WatchedLoop(counting(tasks), thread -> clock.get(), LIMIT, reported::add);
        for (int i = 0; i < 100; i++) {
            quiet.sample(0);
        }
        assertThat(tasks).hasValue(0);

        quiet.end(quiet.begin(() -> "a request"));
        for (int i = 0; i < 100; i++) {
            quiet.sample(0);
        }

        assertThat(tasks).as("one for what has arrived").hasValue(1);
        assertThat(reported).isEmpty();
    }

    @Test
    void inTestsALongTaskIsKept() {
        try (var watch = new LoopWatch(true)) {
            WatchedLoop own = watch.of(loop);
            assertThat(watch.of(loop)).isSameAs(own);
            long begun = own.begin(() -> "POST /realtime/v1 of project abcd2345");
            // Processor time, not the time that passes.
            own.end(begun - LoopWatch.TOO_LONG.toNanos() - 1);

            List<SlowTask> kept = watch.takeLong();

            assertThat(kept)
                    .singleElement()
                    .satisfies(task -> assertThat(task.what()).startsWith("POST /realtime/v1"));
            assertThat(watch.takeLong()).isEmpty();
        }
    }

    /** Counts what it is given, and runs nothing. */
    private static EventExecutor counting(AtomicLong tasks) {
        return (EventExecutor) Proxy.newProxyInstance(
                EventExecutor.class.getClassLoader(),
                new Class<?>[] {EventExecutor.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("execute")) {
                        tasks.incrementAndGet();
                    }
                    return null;
                });
    }
}
