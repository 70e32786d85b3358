package svc.platform.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.platform.share.FairSemaphore.Caller;
import svc.platform.share.FairSemaphore.Limits;
import svc.platform.share.FairSemaphore.Permit;
import svc.platform.share.FairSemaphore.Work;

/** Callers wait for the work of others, never behind their queue. */
@Timeout(60)
class FairSemaphoreTest {
    private static final Duration PATIENT = Duration.ofSeconds(40);

    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    private static Caller of(String organization, String project) {
        return new Caller(organization, project);
    }

    /** Waits until so many callers are in the queue, so that their order is known. */
    private Future<?> queued(ExecutorService threads, FairSemaphore semaphore, Caller caller, String label)
            throws InterruptedException {
        Thread[] waiter = new Thread[1];
        Future<?> future = threads.submit(() -> {
            waiter[0] = Thread.currentThread();
            try (Permit permit = semaphore.acquire(caller, Work.SHORT, PATIENT).orElseThrow()) {
                order.add(label);
            }
            return null;
        });
        while (waiter[0] == null || waiter[0].getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        return future;
    }

    @Test
    void aNewcomerGoesBeforeTheQueueOfAnotherOrganization() throws Exception {
        var semaphore = new FairSemaphore(new Limits(1, 1, 100, 100, 100));
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Permit first = semaphore.tryAcquire(of("a", "a1"), Work.SHORT).orElseThrow();
            for (int i = 0; i < 5; i++) {
                all.add(queued(threads, semaphore, of("a", "a1"), "a1"));
            }
            all.add(queued(threads, semaphore, of("a", "a2"), "a2"));
            all.add(queued(threads, semaphore, of("b", "b1"), "b1"));
            first.close();
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(order).startsWith("b1", "a2").hasSize(7);
        assertThat(semaphore.known()).isZero();
    }

    @Test
    void longWorkLeavesAPermitToShortWork() {
        var semaphore = new FairSemaphore(new Limits(2, 1, 1, 1, 1));
        Permit first = semaphore.tryAcquire(of("a", "a1"), Work.LONG).orElseThrow();
        assertThat(semaphore.tryAcquire(of("b", "b1"), Work.LONG)).isEmpty();
        Optional<Permit> shortWork = semaphore.tryAcquire(of("b", "b1"), Work.SHORT);
        assertThat(shortWork).isPresent();
        assertThat(semaphore.tryAcquire(of("c", "c1"), Work.SHORT)).isEmpty();
        shortWork.get().close();
        first.close();
        assertThat(semaphore.tryAcquire(of("b", "b1"), Work.LONG)).isPresent();
    }

    @Test
    void aFullQueueOfOneProjectIsNotThatOfAnother() throws Exception {
        var semaphore = new FairSemaphore(new Limits(1, 1, 1, 2, 3));
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Permit first = semaphore.tryAcquire(of("a", "a1"), Work.SHORT).orElseThrow();
            Future<?> waiting = queued(threads, semaphore, of("a", "a1"), "a1");
            assertThat(semaphore.acquire(of("a", "a1"), Work.SHORT, PATIENT)).isEmpty();
            Future<?> other = queued(threads, semaphore, of("a", "a2"), "a2");
            assertThat(semaphore.acquire(of("a", "a3"), Work.SHORT, PATIENT)).isEmpty();
            Future<?> neighbour = queued(threads, semaphore, of("b", "b1"), "b1");
            assertThat(semaphore.acquire(of("c", "c1"), Work.SHORT, PATIENT)).isEmpty();
            first.close();
            waiting.get();
            other.get();
            neighbour.get();
        }
    }

    @Test
    void whoDoesNotGetATurnInTimeLeavesNothingBehind() throws Exception {
        var semaphore = new FairSemaphore(new Limits(1, 1, 1, 1, 1));
        Permit first = semaphore.tryAcquire(of("a", "a1"), Work.SHORT).orElseThrow();
        assertThat(semaphore.acquire(of("b", "b1"), Work.SHORT, Duration.ofMillis(1)))
                .isEmpty();
        first.close();
        first.close();
        assertThat(semaphore.known()).isZero();
        assertThat(semaphore.tryAcquire(of("b", "b1"), Work.SHORT)).isPresent();
        assertThat(semaphore.tryAcquire(of("b", "b1"), Work.SHORT)).isEmpty();
    }
}
