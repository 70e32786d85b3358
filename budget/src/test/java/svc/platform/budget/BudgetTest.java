package svc.platform.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Accounts share a budget by their limits; those that wait are served by what their accounts hold; nothing is lost. */
class BudgetTest {
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private final Budget places = new Budget("places", 4);

    private static Permit holding(Account account, long amount) {
        Permit permit = account.open();
        assertThat(permit.grow(amount)).isEqualTo(Verdict.GRANTED);
        return permit;
    }

    private static void ask(Account account, Lifetime owner, long amount, List<Outcome> outcomes) {
        account.request(owner, amount, MAX_WAIT, Runnable::run, outcomes::add);
    }

    private Account project(String organization, String name) {
        return places.whole().part(organization, new Limit.Fixed(3)).part(name, new Limit.Fixed(2));
    }

    @Test
    void everyLevelHasItsLimit() {
        holding(project("o", "a"), 2);
        assertThat(project("o", "a").open().grow(1)).isEqualTo(Verdict.BUSY);
        assertThat(project("o", "a").open().grow(3)).isEqualTo(Verdict.TOO_LARGE);
        holding(project("o", "b"), 1);
        assertThat(project("o", "c").open().grow(1)).isEqualTo(Verdict.BUSY);
        Permit last = holding(project("p", "d"), 1);
        assertThat(project("p", "d").open().grow(1)).isEqualTo(Verdict.BUSY);
        assertThat(project("o", "a").held()).isEqualTo(2);
        assertThat(places.refused()).isEqualTo(4);
        last.close();
        assertThat(places.held()).isEqualTo(3);
    }

    @Test
    void partsShareWhatTheirAccountMayHold() {
        Account strangers = new Budget("bytes", 16_000).whole().part("strangers", Limit.SHARE);
        holding(strangers.part("a", Limit.SHARE), 3_000);

        assertThat(strangers.part("a", Limit.SHARE).open().grow(3_063)).isEqualTo(Verdict.TOO_LARGE);
        assertThat(strangers.part("a", Limit.SHARE).open().grow(200)).isEqualTo(Verdict.BUSY);
        assertThat(strangers.part("b", Limit.SHARE).open().grow(1_500)).isEqualTo(Verdict.GRANTED);
        assertThat(strangers.held()).isEqualTo(4_500);
    }

    /** Of a resource that cannot be divided, the first unit comes from what is kept. */
    @Test
    void oneUnitIsLeftToThoseThatHoldNone() {
        Account connections = new Budget("connections", 8).whole();
        var share = new Limit.DynamicShare(1);
        for (String owner : List.of("a", "b", "c")) {
            Permit greedy = connections.part(owner, share).open();
            for (int i = 0; i < 8; i++) {
                greedy.grow(1);
            }
        }
        assertThat(connections.held()).isEqualTo(6);

        holding(connections.part("d", share), 1);
        holding(connections.part("e", share), 1);
        assertThat(connections.part("f", share).open().grow(1)).isEqualTo(Verdict.BUSY);
        assertThat(connections.held()).isEqualTo(8);
    }

    @Test
    void thoseThatWaitAreServedByWhatTheirAccountsHold() {
        Permit first = holding(project("o", "a"), 2);
        Permit second = holding(project("o", "b"), 1);
        holding(project("p", "c"), 1);
        List<Outcome> served = new ArrayList<>();
        var owner = new Lifetime();
        List<String> order = new ArrayList<>();
        for (String name : List.of("a", "b", "d")) {
            project("o", name).request(owner, 1, MAX_WAIT, Runnable::run, outcome -> {
                served.add(outcome);
                order.add(name);
            });
        }
        project("p", "c").request(owner, 1, MAX_WAIT, Runnable::run, outcome -> order.add("c"));
        assertThat(places.waiting()).isEqualTo(4);

        second.close();
        assertThat(order).containsExactly("c");
        first.close();
        // Of equal ones first the one that has had no place for longest: a returned its own last.
        assertThat(order).containsExactly("c", "d", "b");
        assertThat(served).hasSize(2).allMatch(Outcome.Granted.class::isInstance);
        owner.close();
        assertThat(places.waiting()).isZero();
        assertThat(places.held()).isEqualTo(1);
    }

    @Test
    void anOwnerThatLeavesTheLineGetsNothing() {
        Permit all = holding(project("o", "a"), 2);
        List<Outcome> outcomes = new ArrayList<>();
        var leaving = new Lifetime();
        ask(project("o", "a"), leaving, 1, outcomes);
        leaving.close();
        all.close();

        assertThat(outcomes).isEmpty();
        assertThat(places.held()).isZero();
        assertThat(places.owners()).isZero();
    }

    /** The grant is on its way to the receiver when its owner ends. */
    @Test
    void aGrantThatComesTooLateIsReturnedByTheBudget() {
        Permit all = holding(project("o", "a"), 2);
        List<Outcome> outcomes = new ArrayList<>();
        List<Runnable> later = new ArrayList<>();
        var leaving = new Lifetime();
        project("o", "a").request(leaving, 1, MAX_WAIT, later::add, outcomes::add);
        all.close();
        assertThat(places.held()).isEqualTo(1);
        leaving.close();
        assertThat(places.held()).isZero();
        later.forEach(Runnable::run);

        assertThat(outcomes).isEmpty();
        assertThat(places.held()).isZero();
    }

    @Test
    void aRequestMayWaitUntilItIsGivenUp() {
        List<Outcome> outcomes = new ArrayList<>();
        Permit all = holding(project("o", "a"), 2);
        var leaving = new Lifetime();
        project("o", "a").request(leaving, 1, Account.UNTIL_GIVEN_UP, Runnable::run, outcomes::add);
        project("o", "a").request(new Lifetime(), 1, Account.UNTIL_GIVEN_UP, Runnable::run, outcomes::add);
        assertThat(places.waiting()).isEqualTo(2);
        leaving.close();
        assertThat(places.waiting()).isEqualTo(1);
        all.close();

        assertThat(outcomes).singleElement().isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void anOwnerThatHasEndedGetsNothing() {
        var over = new Lifetime();
        over.close();
        List<Outcome> outcomes = new ArrayList<>();
        ask(project("o", "a"), over, 1, outcomes);

        assertThat(outcomes).isEmpty();
        assertThat(project("o", "a").open(over).grow(1)).isEqualTo(Verdict.BUSY);
        assertThat(places.held()).isZero();
        assertThat(places.owners()).isZero();
    }

    @Test
    void aThreadThatIsInterruptedHoldsNothing() throws InterruptedException {
        Permit all = holding(project("o", "a"), 2);
        var interrupted = new CountDownLatch(1);
        Thread waiting = Thread.startVirtualThread(() -> {
            try {
                project("o", "a").await(1, MAX_WAIT);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        await().until(() -> places.waiting() == 1);
        waiting.interrupt();
        interrupted.await();
        all.close();

        assertThat(places.held()).isZero();
    }

    @Test
    void aRequestWaitsAsLongAsItCan() throws InterruptedException {
        holding(project("o", "a"), 2);

        assertThat(project("o", "a").await(1, Duration.ofMillis(20))).isEqualTo(new Outcome.Busy());
        assertThat(project("o", "a").await(3, MAX_WAIT)).isEqualTo(new Outcome.TooLarge());
        assertThat(places.waiting()).isZero();
    }

    @Test
    void thePermitThatGotOnLongestAgoGivesBackFirst() throws InterruptedException {
        var budget = new Budget("bytes", BudgetSettings.of(2).withTimes(Duration.ofMillis(5), Duration.ZERO));
        Account readers = budget.whole().part("readers", Limit.NONE);
        List<String> gaveBack = new ArrayList<>();
        Permit quick = holding(readers, 1);
        Permit slow = holding(readers, 1);
        quick.reclaimBy(() -> {
            gaveBack.add("quick");
            quick.close();
        });
        slow.reclaimBy(() -> {
            gaveBack.add("slow");
            slow.close();
        });
        quick.progress();

        assertThat(readers.await(1, MAX_WAIT)).isInstanceOf(Outcome.Granted.class);
        assertThat(gaveBack).containsExactly("slow");
        assertThat(budget.reclaimed()).isEqualTo(1);
        assertThat(budget.held()).isEqualTo(2);
    }

    /** Owners that ask, wait, leave and return at once, in every order: at the end nothing is held, and none waits. */
    @Test
    void nothingIsLostWhateverTheOrder() throws InterruptedException {
        var shared = new Budget("bytes", 1_000);
        var delivered = new AtomicInteger();
        int threads = 8;
        try (ExecutorService workers = Executors.newFixedThreadPool(threads);
                ExecutorService receivers = Executors.newFixedThreadPool(2)) {
            for (int worker = 0; worker < threads; worker++) {
                var random = new Random(worker);
                workers.execute(() -> {
                    for (int step = 0; step < 5_000; step++) {
                        var owner = new Lifetime();
                        shared.whole()
                                .part("o" + random.nextInt(3), Limit.SHARE)
                                .part("p" + random.nextInt(3), Limit.SHARE)
                                .request(owner, 1 + random.nextInt(100), MAX_WAIT, receivers, outcome -> {
                                    delivered.incrementAndGet();
                                    owner.close();
                                });
                        if (random.nextInt(3) == 0) {
                            owner.close();
                        }
                    }
                });
            }
            workers.shutdown();
            assertThat(workers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            await().until(() -> shared.waiting() == 0 && shared.held() == 0);
        }
        assertThat(delivered.get()).isPositive();
        assertThat(shared.owners()).isZero();
    }
}
