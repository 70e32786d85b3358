package svc.platform.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a returned place costs grows with the logarithm of the accounts that wait, not with their number. */
@Timeout(120)
class WaitingCostTest {
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FEW = 50;
    private static final int MANY = 5_000;
    private static final int TURNS = 3_000;
    private static final int ROUNDS = 5;
    private static final int PLACES = 4;

    /** Hundred times the accounts; a search of all would cost a hundred times as much. */
    private static final double MAX_RATIO = 10;

    /** @param bytes allocated, and processor time in nanoseconds, of one round of turns */
    private record Cost(long bytes, long nanos) {
        static Cost now() {
            return new Cost(THREAD.getCurrentThreadAllocatedBytes(), THREAD.getCurrentThreadCpuTime());
        }

        Cost since(Cost begin) {
            return new Cost(bytes - begin.bytes, nanos - begin.nanos);
        }

        Cost least(Cost other) {
            return new Cost(Math.min(bytes, other.bytes), Math.min(nanos, other.nanos));
        }
    }

    private static void assertLogarithmic(IntFunction<Cost> cost) {
        Cost few = cost.apply(FEW);
        Cost many = cost.apply(MANY);
        assertThat((double) many.bytes() / few.bytes()).as("allocated bytes").isLessThan(MAX_RATIO);
        assertThat((double) many.nanos() / few.nanos()).as("processor time").isLessThan(MAX_RATIO);
    }

    /** Gives places back, each of which goes to the next in line, who then waits again. */
    private static Cost ofTurns(Queue<Runnable> again, Queue<Permit> held) {
        Cost least = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            Cost begin = Cost.now();
            for (int turn = 0; turn < TURNS; turn++) {
                held.remove().close();
                while (!again.isEmpty()) {
                    again.remove().run();
                }
            }
            least = least.least(Cost.now().since(begin));
        }
        return least;
    }

    private static void wait(Account account, Queue<Runnable> again, Queue<Permit> held, Lifetime test) {
        account.request(test, 1, Duration.ofMinutes(10), Runnable::run, outcome -> {
            held.add(((Outcome.Granted) outcome).permit());
            again.add(() -> wait(account, again, held, test));
        });
    }

    private static Cost cost(int accounts, IntFunction<Account> account) {
        Queue<Runnable> again = new ArrayDeque<>();
        Queue<Permit> held = new ArrayDeque<>();
        try (var test = new Lifetime()) {
            for (int i = 0; i < accounts; i++) {
                wait(account.apply(i), again, held, test);
            }
            return ofTurns(again, held);
        }
    }

    @Test
    void ofProjectsInTheirOrganizations() {
        assertLogarithmic(accounts -> {
            var places = new Budget("places", PLACES);
            return cost(
                    accounts,
                    i -> places.whole()
                            .part("o" + i % (accounts / 10), Limit.NONE)
                            .part("p" + i, new Limit.Fixed(2)));
        });
    }

    @Test
    void ofProjectsOfOneOrganization() {
        assertLogarithmic(accounts -> {
            var places = new Budget("places", PLACES);
            Account organization = places.whole().part("o", new Limit.Fixed(PLACES - 1));
            return cost(accounts, i -> organization.part("p" + i, Limit.SHARE));
        });
    }

    /** Places that come back are short work's: all others that wait are passed over together. */
    @Test
    void besideThoseThatWaitForALimitAcrossOwners() {
        assertLogarithmic(accounts -> {
            var places = new Budget("places", PLACES);
            Account longWork = places.across("long", 1);
            Permit long1 =
                    places.whole().part("long", Limit.NONE).within(longWork).open();
            assertThat(long1.grow(1)).isEqualTo(Verdict.GRANTED);
            try (var waiting = new Lifetime()) {
                for (int i = 0; i < accounts; i++) {
                    places.whole()
                            .part("long " + i, Limit.NONE)
                            .within(longWork)
                            .request(waiting, 1, Duration.ofMinutes(10), Runnable::run, outcome -> {});
                }
                return cost(FEW, i -> places.whole().part("short " + i, Limit.NONE));
            }
        });
    }
}
