package svc.platform.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is asked, returned and given up, and in whatever order: the first request of an account waits only if it must. */
class WaitingLinesTest {
    private static final int STEPS = 3_000;
    private static final List<Limit> LIMITS =
            List.of(Limit.NONE, new Limit.Fixed(15), Limit.SHARE, Limit.LARGE_SHARE, Limit.SHARE_UNLESS_ALONE);

    private final Budget budget = new Budget("bytes", 100);
    private final List<Permit> held = new ArrayList<>();
    private final Map<Lifetime, Request> waiting = new LinkedHashMap<>();

    private record Request(String path, Account account, long amount) {}

    private Request request(Random random) {
        int organization = random.nextInt(4);
        int project = random.nextInt(3);
        Account account = budget.whole()
                .part("o" + organization, LIMITS.get(organization))
                .part("p" + project, LIMITS.get((organization + project) % LIMITS.size()));
        long amount = 1 + random.nextInt(12);
        String path = organization + "/" + project;
        return random.nextInt(4) > 0
                ? new Request(path, account, amount)
                : new Request(
                        path + "/long", account.part("long", Limit.NONE).within(budget.across("long", 20)), amount);
    }

    private void ask(Request request) {
        var owner = new Lifetime();
        waiting.put(owner, request);
        request.account().request(owner, request.amount(), Duration.ofMinutes(1), Runnable::run, outcome -> {
            waiting.remove(owner);
            if (outcome instanceof Outcome.Granted(Permit permit)) {
                held.add(permit);
            }
        });
    }

    private void giveUp(Random random) {
        Lifetime owner = List.copyOf(waiting.keySet()).get(random.nextInt(waiting.size()));
        waiting.remove(owner);
        owner.close();
    }

    private void assertNoneWaitsThatFits() {
        Set<String> seen = new HashSet<>();
        for (Request request : List.copyOf(waiting.values())) {
            if (seen.add(request.path())) {
                try (Permit now = request.account().open()) {
                    assertThat(now.grow(request.amount()))
                            .as("%s of %s", request, waiting.values())
                            .isNotEqualTo(Verdict.GRANTED);
                }
            }
        }
        assertThat(budget.waiting()).isEqualTo(waiting.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void noneThatFitsIsLeftInLine(int seed) {
        var random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            int choice = random.nextInt(5);
            if (choice < 2) {
                ask(request(random));
            } else if (choice == 2 && !waiting.isEmpty()) {
                giveUp(random);
            } else if (!held.isEmpty()) {
                held.remove(random.nextInt(held.size())).close();
            }
            assertNoneWaitsThatFits();
        }
        List.copyOf(waiting.keySet()).forEach(Lifetime::close);
        waiting.clear();
        while (!held.isEmpty()) {
            held.removeLast().close();
        }
        assertThat(budget.held()).isZero();
        assertThat(budget.owners()).isZero();
    }
}
