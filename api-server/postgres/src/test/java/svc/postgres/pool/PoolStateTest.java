package svc.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import svc.postgres.Access;

class PoolStateTest {
    /** A login is called organisation/project/login. */
    private static final PoolOwners<String> OWNERS = new PoolOwners<>(
            login -> login.substring(0, login.lastIndexOf('/')), login -> login.substring(0, login.indexOf('/')));

    private static final class Member implements PoolMember {
        @Override
        public void cancel() {}

        @Override
        public void close() {}

        @Override
        public CompletionStage<Void> abort() {
            return CompletableFuture.completedFuture(null);
        }
    }

    private static PoolState<String, Member, String> state(int cap, PoolShares shares) {
        return new PoolState<>(
                PoolSettings.defaults().withCap(cap).withPerLogin(cap).withShares(shares), OWNERS);
    }

    private static boolean ask(PoolState<String, Member, String> state, String login) {
        return state.enqueue(new Waiter<>(login, Access.WRITE, Optional.empty()));
    }

    /** The login that is served next, by a connection that is opened for it; empty when none can be. */
    private static Optional<PooledConnection<String, Member>> serve(PoolState<String, Member, String> state) {
        Optional<PoolState.Step<String, Member, String>> step = state.next();
        if (step.isEmpty()) {
            return Optional.empty();
        }
        return switch (step.get()) {
            case PoolState.Step.Hand<String, Member, String> hand -> Optional.of(hand.connection());
            case PoolState.Step.Open<String, Member, String> open -> {
                var connection = new PooledConnection<>(open.key(), new Member());
                yield state.opened(connection).map(PoolState.Step.Hand::connection);
            }
        };
    }

    @Test
    void theProjectWithTheFewestIsServedFirst() {
        PoolState<String, Member, String> state = state(4, new PoolShares(4, 4, 10));
        ask(state, "o/greedy/api");
        assertThat(serve(state)).isPresent();
        ask(state, "o/greedy/service");
        ask(state, "o/modest/api");
        assertThat(serve(state).orElseThrow().key()).isEqualTo("o/modest/api");
        assertThat(serve(state).orElseThrow().key()).isEqualTo("o/greedy/service");
    }

    @Test
    void equalsAreServedInTurn() {
        PoolState<String, Member, String> state = state(8, new PoolShares(4, 8, 10));
        for (String project : new String[] {"o/a/api", "o/b/api", "o/a/api", "o/b/api"}) {
            ask(state, project);
        }
        assertThat(serve(state).orElseThrow().key()).isEqualTo("o/a/api");
        assertThat(serve(state).orElseThrow().key()).isEqualTo("o/b/api");
        assertThat(serve(state).orElseThrow().key()).isEqualTo("o/a/api");
    }

    @Test
    void aNewConnectionServesItsLoginBeforeAnotherEvictsIt() {
        PoolState<String, Member, String> state = state(1, new PoolShares(1, 1, 10));
        String[] logins = {"o/a/api", "o/b/api", "o/c/api", "o/a/api", "o/b/api", "o/c/api"};
        for (String login : logins) {
            ask(state, login);
        }
        for (String login : logins) {
            PooledConnection<String, Member> served = serve(state).orElseThrow();
            assertThat(served.key()).isEqualTo(login);
            state.returned(served, true);
        }
        assertThat(state.waiting()).isZero();
    }

    @Test
    void whatWasGivenUpCountsUntilTheServerHasEndedIt() {
        PoolState<String, Member, String> state = state(1, new PoolShares(1, 1, 10));
        ask(state, "o/hangs/api");
        PooledConnection<String, Member> hanging = serve(state).orElseThrow();
        state.discarded(hanging);
        ask(state, "o/waits/api");
        assertThat(serve(state)).isEmpty();
        assertThat(state.open()).isOne();
        state.ended(hanging);
        assertThat(serve(state).orElseThrow().key()).isEqualTo("o/waits/api");
        assertThat(state.logins()).isOne();
    }

    @Test
    void anIdleConnectionIsNoWayAroundAShare() {
        PoolState<String, Member, String> state = state(10, new PoolShares(2, 10, 10));
        ask(state, "o/p/api");
        PooledConnection<String, Member> idle = serve(state).orElseThrow();
        state.returned(idle, true);
        ask(state, "o/p/service");
        ask(state, "o/p/service");
        assertThat(serve(state)).isPresent();
        assertThat(serve(state)).isPresent();
        assertThat(state.acquire(new Waiter<>("o/p/api", Access.WRITE, Optional.empty())))
                .isEmpty();
        ask(state, "o/p/api");
        assertThat(serve(state)).isEmpty();
    }

    /** Of one organisation, with calls that never come back. */
    @Test
    void crowdsOfManyProjectsLeaveAPlaceForOneMore() {
        PoolState<String, Member, String> state = state(100, PoolShares.defaults());
        ask(state, "o/neighbour/api");
        state.returned(serve(state).orElseThrow(), true);
        for (int call = 0; call < 20; call++) {
            for (int project = 0; project < 20; project++) {
                ask(state, "o/p" + project + "/api");
                while (serve(state).isPresent()) {}
            }
        }
        while (serve(state).isPresent()) {}
        assertThat(state.open()).isLessThan(50);
        assertThat(state.acquire(new Waiter<>("o/neighbour/api", Access.READ, Optional.empty())))
                .isPresent();
    }

    @Test
    void noMoreThanSoManyOfAProjectWait() {
        PoolState<String, Member, String> state = state(1, new PoolShares(1, 1, 2));
        assertThat(ask(state, "o/p/api")).isTrue();
        assertThat(ask(state, "o/p/service")).isTrue();
        assertThat(ask(state, "o/p/system")).isFalse();
        assertThat(ask(state, "o/q/api")).isTrue();
        assertThat(state.waiting()).isEqualTo(3);
        assertThat(state.logins()).isEqualTo(3);
        assertThat(state.dismiss(waiter -> true)).hasSize(3);
        assertThat(state.logins()).isZero();
    }
}
