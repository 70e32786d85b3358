package svc.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.auth.http.AuthError;

/** Promise: no project takes the processors from another by passwords. */
class HashingQueueTest {
    private static final UUID LOUD = new UUID(1, 1);
    private static final UUID QUIET = new UUID(2, 2);

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);

    @AfterEach
    void close() {
        busy.countDown();
        callers.close();
    }

    private static HashingQueue queue(int perProject, int total) {
        return new HashingQueue(new HashingQueue.Bounds(1, perProject, total, Duration.ofMinutes(1)));
    }

    /** The only thread computes until {@link #busy}. */
    private void occupy(HashingQueue queue) throws InterruptedException {
        callers.execute(() -> queue.run(LOUD, () -> {
            begun.countDown();
            return await();
        }));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private boolean await() {
        try {
            return busy.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Future<Boolean> ask(HashingQueue queue, UUID project, String name) {
        int before = queue.size();
        Future<Boolean> asked = callers.submit(() -> queue.run(project, () -> done.add(name)));
        while (queue.size() == before && !asked.isDone()) {
            Thread.onSpinWait();
        }
        return asked;
    }

    private static void assertRefused(Future<Boolean> asked) {
        assertThatThrownBy(asked::get).cause().isInstanceOfSatisfying(AuthError.class, refused -> {
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("over_request_rate_limit");
            assertThat(refused.retryAfter()).hasValue(1);
        });
    }

    @Test
    void projectsTakeTurns() throws Exception {
        HashingQueue queue = queue(10, 100);
        occupy(queue);
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(ask(queue, LOUD, "loud " + i));
        }
        all.add(ask(queue, QUIET, "quiet"));
        busy.countDown();
        for (Future<Boolean> one : all) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(done).containsExactly("loud 0", "quiet", "loud 1", "loud 2", "loud 3", "loud 4");
    }

    @Test
    void aProjectBeyondItsBoundIsRefusedAndItsNeighbourIsNot() throws Exception {
        HashingQueue queue = queue(2, 100);
        occupy(queue);
        Future<Boolean> first = ask(queue, LOUD, "first");
        Future<Boolean> second = ask(queue, LOUD, "second");
        assertRefused(ask(queue, LOUD, "third"));
        Future<Boolean> neighbour = ask(queue, QUIET, "neighbour");
        busy.countDown();
        for (Future<Boolean> one : List.of(first, second, neighbour)) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(done).doesNotContain("third");
    }

    @Test
    void whoHasTheMostGivesWayWhenAllPlacesAreTaken() throws Exception {
        HashingQueue queue = queue(10, 3);
        occupy(queue);
        Future<Boolean> first = ask(queue, LOUD, "first");
        Future<Boolean> second = ask(queue, LOUD, "second");
        Future<Boolean> third = ask(queue, LOUD, "third");
        assertRefused(ask(queue, LOUD, "fourth"));
        Future<Boolean> neighbour = callers.submit(() -> queue.run(QUIET, () -> done.add("neighbour")));
        assertRefused(third);
        busy.countDown();
        for (Future<Boolean> one : List.of(first, second, neighbour)) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aComputationThatWaitsTooLongIsRefused() throws Exception {
        var queue = new HashingQueue(new HashingQueue.Bounds(1, 10, 10, Duration.ofMillis(20)));
        callers.execute(() -> queue.run(LOUD, () -> {
            begun.countDown();
            return await();
        }));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        assertRefused(callers.submit(() -> queue.run(QUIET, () -> done.add("late"))));
        assertThat(queue.size()).isZero();
    }

    @Test
    void nothingIsComputedOnAVirtualThread() throws Exception {
        HashingQueue queue = queue(10, 10);
        assertThat(callers.submit(() ->
                                queue.run(LOUD, () -> Thread.currentThread().isVirtual()))
                        .get(30, TimeUnit.SECONDS))
                .isFalse();
        assertThatThrownBy(() -> queue.run(LOUD, () -> {
                    throw new IllegalArgumentException("no salt");
                }))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
