package svc.platform.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import svc.platform.memory.ByteBudget.Permit;
import svc.platform.memory.ByteBudget.Verdict;

/** Promise: no owner, and no number of them, takes so much that another one gets nothing. */
class ByteBudgetTest {
    private final ByteBudget budget = new ByteBudget(16_000);

    private Permit holding(String owner, long bytes) {
        Permit permit = budget.account(owner).open();
        assertThat(permit.grow(bytes)).isEqualTo(Verdict.GRANTED);
        return permit;
    }

    private Verdict asks(String owner, long bytes) {
        return budget.account(owner).open().grow(bytes);
    }

    @Test
    void oneOwnerGetsNearlyHalf() {
        assertThat(asks("a", 7_001)).isEqualTo(Verdict.TOO_LARGE);
        holding("a", 7_000);
        assertThat(asks("a", 1)).isEqualTo(Verdict.BUSY);
        assertThat(asks("b", 3_501)).isEqualTo(Verdict.BUSY);
        assertThat(asks("b", 3_500)).isEqualTo(Verdict.GRANTED);
    }

    @Test
    void manyOwnersLeaveRoomForAnotherOne() {
        for (int i = 0; i < 50; i++) {
            Permit greedy = budget.account("attacker " + i).open();
            while (greedy.grow(1) == Verdict.GRANTED) {
                continue;
            }
        }

        assertThat(asks("neighbour", 1)).isEqualTo(Verdict.GRANTED);
        assertThat(budget.held()).isLessThan(16_000);
    }

    @Test
    void aPermitGrowsAsItsBytesArrive() {
        Permit permit = holding("a", 200);

        assertThat(permit.grow(200)).isEqualTo(Verdict.GRANTED);
        assertThat(permit.grow(6_601)).isEqualTo(Verdict.TOO_LARGE);
        assertThat(budget.held()).isEqualTo(400);
        permit.close();
        assertThat(budget.held()).isZero();
    }

    @Test
    void aPermitIsReturnedOnce() {
        Permit first = holding("a", 300);
        holding("a", 100);

        first.close();
        first.close();

        assertThat(budget.held()).isEqualTo(100);
        assertThat(first.grow(1)).isEqualTo(Verdict.BUSY);
        first.charge(50);
        assertThat(budget.held()).isEqualTo(100);
    }

    @Test
    void whatIsChargedBeyondTheShareKeepsItsOwnerOut() {
        Permit answer = budget.account("a").open();
        answer.charge(9_000);

        assertThat(budget.account("a").overdrawn()).isTrue();
        assertThat(budget.account("b").overdrawn()).isFalse();
        assertThat(asks("a", 1)).isEqualTo(Verdict.BUSY);
        assertThat(asks("b", 100)).isEqualTo(Verdict.GRANTED);
        answer.close();
        assertThat(budget.account("a").overdrawn()).isFalse();
    }

    @Test
    void theProjectsOfAnOrganisationShareItsPart() {
        for (int i = 0; i < 50; i++) {
            Permit greedy = budget.account("crowd").part("project " + i).open();
            while (greedy.grow(1) == Verdict.GRANTED) {
                continue;
            }
        }
        assertThat(budget.account("crowd").held()).isLessThanOrEqualTo(7_000);
        assertThat(asks("neighbour", 3_500)).isEqualTo(Verdict.GRANTED);
    }

    @Test
    void aProjectLeavesRoomForOthersOfItsOrganisation() {
        ByteBudget.Account organization = budget.account("o");
        assertThat(organization.part("a").open().grow(4_901)).isEqualTo(Verdict.TOO_LARGE);
        assertThat(organization.part("a").open().grow(4_900)).isEqualTo(Verdict.GRANTED);
        assertThat(organization.part("a").open().grow(10)).isEqualTo(Verdict.BUSY);
        assertThat(organization.part("b").open().grow(900)).isEqualTo(Verdict.GRANTED);
    }

    /** An answer is charged whatever its length, because it exists when its reader turns out to be slow. */
    @Test
    void whatAnonymousCallersHoldLeavesTheProjectTheRestOfItsShare() {
        ByteBudget.Account project = budget.account("o").part("a");
        project.ofAnonymous().open().charge(2_700);

        assertThat(project.ofAnonymous().overdrawn()).isTrue();
        assertThat(project.overdrawn()).isFalse();
        assertThat(project.held()).isEqualTo(2_700);
        assertThat(project.open().grow(500)).isEqualTo(Verdict.GRANTED);
    }

    @Test
    void besideAProjectWithMoreThanAllItsSiblingStillGetsALittle() {
        var large = new ByteBudget(16_000_000);
        large.account("o").part("a").open().charge(17_000_000);

        assertThat(large.account("o").part("b").open().grow(800)).isEqualTo(Verdict.GRANTED);
        assertThat(large.account("o").part("b").open().grow(10_000)).isEqualTo(Verdict.BUSY);
        assertThat(large.account("other").part("c").open().grow(10_000)).isEqualTo(Verdict.BUSY);
        assertThat(large.account("other").part("c").open().grow(1_900)).isEqualTo(Verdict.GRANTED);
    }

    @Test
    void anOwnerThatHoldsNothingIsForgotten() {
        holding("a", 10).close();

        assertThat(budget.owners()).isZero();
    }

    @Test
    void nothingTakesNothing() {
        assertThat(asks("a", 0)).isEqualTo(Verdict.GRANTED);
        assertThat(budget.owners()).isZero();
        assertThatThrownBy(() -> new ByteBudget(0)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Permits that grow, are charged and closed twice by many threads at once: nothing is lost or counted twice. */
    @Test
    void theSumIsRightWhateverTheOrder() throws InterruptedException {
        ByteBudget shared = new ByteBudget(1 << 20);
        int threads = 8;
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            for (int worker = 0; worker < threads; worker++) {
                Random random = new Random(worker);
                workers.execute(() -> work(shared, random, start));
            }
            start.countDown();
            workers.shutdown();
            assertThat(workers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(shared.held()).isZero();
        assertThat(shared.owners()).isZero();
    }

    private static void work(ByteBudget shared, Random random, CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Permit> open = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> open.add(shared.account("owner " + random.nextInt(5)).open());
                case 1 -> open.forEach(permit -> permit.grow(random.nextInt(5_000)));
                case 2 -> open.forEach(permit -> permit.charge(random.nextInt(50)));
                default -> {
                    open.forEach(Permit::close);
                    if (random.nextBoolean()) {
                        open.forEach(Permit::close);
                    }
                    open.clear();
                }
            }
        }
        open.forEach(Permit::close);
    }
}
