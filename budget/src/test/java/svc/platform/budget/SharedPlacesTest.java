package svc.platform.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.budget.SharedPlaces.Division;
import svc.platform.budget.SharedPlaces.Limits;
import svc.platform.budget.SharedPlaces.Work;

/** Callers wait for the work of others, never behind their queue. */
@Timeout(60)
class SharedPlacesTest {
    private static final Duration PATIENT = Duration.ofSeconds(40);

    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    private static Caller of(String organization, String project) {
        return new Caller(organization, project);
    }

    /** Waits until the caller is in the line, so that their order is known. */
    private Future<?> queued(ExecutorService threads, SharedPlaces places, Caller caller, String label) {
        int before = places.budget().waiting();
        Future<?> future = threads.submit(() -> {
            try (Permit permit = places.acquire(caller, Work.SHORT, PATIENT).orElseThrow()) {
                order.add(label);
            }
            return null;
        });
        await().until(() -> places.budget().waiting() == before + 1);
        return future;
    }

    @Test
    void aNewcomerGoesBeforeTheQueueOfAnotherOrganization() throws Exception {
        var places = new SharedPlaces("work", new Limits(1, 1, 100, 100, 100));
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Permit first = places.tryAcquire(of("a", "a1"), Work.SHORT).orElseThrow();
            for (int i = 0; i < 5; i++) {
                all.add(queued(threads, places, of("a", "a1"), "a1"));
            }
            all.add(queued(threads, places, of("a", "a2"), "a2"));
            all.add(queued(threads, places, of("b", "b1"), "b1"));
            first.close();
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(order).startsWith("b1", "a2").hasSize(7);
        assertThat(places.budget().owners()).isZero();
    }

    @Test
    void longWorkLeavesAPermitToShortWork() {
        var places = new SharedPlaces("work", new Limits(2, 1, 1, 1, 1));
        Permit first = places.tryAcquire(of("a", "a1"), Work.LONG).orElseThrow();
        assertThat(places.tryAcquire(of("b", "b1"), Work.LONG)).isEmpty();
        Optional<Permit> shortWork = places.tryAcquire(of("b", "b1"), Work.SHORT);
        assertThat(shortWork).isPresent();
        assertThat(places.tryAcquire(of("c", "c1"), Work.SHORT)).isEmpty();
        shortWork.get().close();
        first.close();
        assertThat(places.tryAcquire(of("b", "b1"), Work.LONG)).isPresent();
    }

    @Test
    void aFullQueueOfOneProjectIsNotThatOfAnother() throws Exception {
        var places = new SharedPlaces("work", new Limits(1, 1, 1, 2, 3));
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Permit first = places.tryAcquire(of("a", "a1"), Work.SHORT).orElseThrow();
            Future<?> waiting = queued(threads, places, of("a", "a1"), "a1");
            assertThat(places.acquire(of("a", "a1"), Work.SHORT, PATIENT)).isEmpty();
            Future<?> other = queued(threads, places, of("a", "a2"), "a2");
            assertThat(places.acquire(of("a", "a3"), Work.SHORT, PATIENT)).isEmpty();
            Future<?> neighbour = queued(threads, places, of("b", "b1"), "b1");
            assertThat(places.acquire(of("c", "c1"), Work.SHORT, PATIENT)).isEmpty();
            first.close();
            waiting.get();
            other.get();
            neighbour.get();
        }
    }

    @Test
    void whoDoesNotGetATurnInTimeLeavesNothingBehind() throws Exception {
        var places = new SharedPlaces("work", new Limits(1, 1, 1, 1, 1));
        Permit first = places.tryAcquire(of("a", "a1"), Work.SHORT).orElseThrow();
        assertThat(places.acquire(of("b", "b1"), Work.SHORT, Duration.ofMillis(1)))
                .isEmpty();
        first.close();
        first.close();
        assertThat(places.budget().owners()).isZero();
        assertThat(places.tryAcquire(of("b", "b1"), Work.SHORT)).isPresent();
        assertThat(places.tryAcquire(of("b", "b1"), Work.SHORT)).isEmpty();
    }

    /** A caller with one call after the other comes again before the queue is empty, and gets no more than its turn. */
    @Test
    void thoseThatComeAgainAndAgainDoNotKeepAQueueWaiting() throws Exception {
        var places = new SharedPlaces("work", new Limits(1, 1, 100, 100, 100));
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Permit place = places.tryAcquire(of("a", "a1"), Work.SHORT).orElseThrow();
            all.add(queued(threads, places, of("queue", "q"), "queue"));
            all.add(queued(threads, places, of("queue", "q"), "queue"));
            List<Thread> serial = new ArrayList<>();
            for (String name : List.of("b", "c")) {
                serial.add(Thread.startVirtualThread(() -> {
                    for (int call = 0; call < 50; call++) {
                        try (Permit turn = places.acquire(of(name, name), Work.SHORT, PATIENT)
                                .orElseThrow()) {
                            order.add(name);
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }));
            }
            await().until(() -> places.budget().waiting() == 4);
            place.close();
            for (Future<?> one : all) {
                one.get();
            }
            for (Thread one : serial) {
                one.join();
            }
        }
        assertThat(order.indexOf("queue")).isZero();
        assertThat(order.lastIndexOf("queue")).isLessThanOrEqualTo(3);
    }

    /** Turns of one after the other on one place, by a clock of the test. */
    private final class TimedTurns {
        private final AtomicLong clock = new AtomicLong();
        private final SharedPlaces places =
                new SharedPlaces("work", new Limits(1, 1, 100, 100, 100), Division.BY_TIME, clock::get);
        private Permit current = places.tryAcquire(of("slow", "s"), Work.SHORT).orElseThrow();

        void await(String organization, int turns) {
            for (int i = 0; i < turns; i++) {
                places.request(of(organization, "p"), new Lifetime(), PATIENT, Runnable::run, outcome -> {
                    order.add(organization);
                    current = ((Outcome.Granted) outcome).permit();
                });
            }
        }

        void end(Duration turn) {
            clock.addAndGet(turn.toNanos());
            current.close();
        }
    }

    /** A turn of ten seconds is worth ten of one second. */
    @Test
    void organizationsShareTheTimeOfAPlace() {
        var turns = new TimedTurns();
        turns.await("slow", 2);
        turns.await("quick", 22);
        turns.end(Duration.ofSeconds(10));
        for (int i = 0; i < 10; i++) {
            turns.end(Duration.ofSeconds(1));
        }
        assertThat(order.subList(0, 10)).containsOnly("quick");
        assertThat(order.get(10)).isEqualTo("slow");
        turns.end(Duration.ofSeconds(10));
        assertThat(order.get(11)).isEqualTo("quick");
    }

    @Test
    void whoReturnsEverythingAndComesBackHasStillUsedItsTime() {
        var turns = new TimedTurns();
        turns.await("quick", 12);
        turns.end(Duration.ofSeconds(10));
        turns.await("slow", 1);
        for (int i = 0; i < 12; i++) {
            turns.end(Duration.ofSeconds(1));
        }
        assertThat(order.indexOf("slow")).isEqualTo(10);
        turns.end(Duration.ofSeconds(1));
        assertThat(turns.places.budget().owners()).isZero();
    }

    /** Idleness earns nothing: who comes late does not have the place until it has used as much as others before. */
    @Test
    void whoComesLateSharesFromThenOn() {
        var turns = new TimedTurns();
        turns.await("quick", 20);
        turns.end(Duration.ofHours(1));
        turns.end(Duration.ofHours(1));
        turns.await("late", 4);
        for (int i = 0; i < 6; i++) {
            turns.end(Duration.ofSeconds(1));
        }
        assertThat(order.subList(2, 6)).contains("late", "quick");
    }

    /** Long work cannot be taken away. */
    @Test
    void oneProjectLeavesAPlaceToOthers() {
        var places = new SharedPlaces("work", Limits.of(2, 1), Division.BY_TIME_LEAVING_ONE);
        assertThat(places.tryAcquire(of("a", "a1"), Work.SHORT)).isPresent();
        assertThat(places.tryAcquire(of("a", "a1"), Work.SHORT)).isEmpty();
        assertThat(places.tryAcquire(of("a", "a2"), Work.SHORT)).isPresent();
    }

    /** Work of both kinds waits in the line of its project. */
    @Test
    void shortWorkPassesLongWorkOfItsOwnProject() throws Exception {
        var places = new SharedPlaces("work", new Limits(2, 1, 1, 1, 1));
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Permit first = places.tryAcquire(of("a", "a1"), Work.LONG).orElseThrow()) {
            Future<Optional<Permit>> waiting = threads.submit(() -> places.acquire(of("a", "a1"), Work.LONG, PATIENT));
            await().until(() -> places.budget().waiting() == 1);
            assertThat(places.acquire(of("a", "a1"), Work.LONG, PATIENT)).isEmpty();
            places.acquire(of("a", "a1"), Work.SHORT, PATIENT).orElseThrow().close();
            assertThat(waiting.isDone()).isFalse();
            first.close();
            waiting.get().orElseThrow().close();
        }
        assertThat(places.budget().owners()).isZero();
    }
}
