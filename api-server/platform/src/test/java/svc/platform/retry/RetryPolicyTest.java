package svc.platform.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private int calls;

    private int failing(int times) {
        if (calls++ < times) {
            throw new IllegalStateException("call " + calls);
        }
        return calls;
    }

    @Test
    void returnsTheFirstResult() throws Exception {
        assertThat(RetryPolicy.maxAttempts(5).call(() -> failing(0))).isEqualTo(1);
    }

    @Test
    void repeatsUntilItSucceeds() throws Exception {
        RetryPolicy policy = RetryPolicy.untilSuccess().withExponentialBackoff(SHORT, Duration.ofMillis(4));
        assertThat(policy.call(() -> failing(10))).isEqualTo(11);
    }

    @Test
    void throwsTheLastFailureWhenTheAttemptsAreUsedUp() {
        assertThatThrownBy(() -> RetryPolicy.maxAttempts(3).call(() -> failing(100)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("call 3");
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void oneAttemptIsNoRetry() {
        assertThatThrownBy(() -> RetryPolicy.maxAttempts(1).call(() -> failing(100)))
                .hasMessage("call 1");
    }

    @Test
    void throwsAnotherFailureAtOnce() {
        RetryPolicy policy = RetryPolicy.untilSuccess().retryOn(IllegalArgumentException.class::isInstance);
        assertThatThrownBy(() -> policy.call(() -> failing(100))).hasMessage("call 1");
    }

    @Test
    void anErrorIsNotRetried() {
        assertThatThrownBy(() -> RetryPolicy.untilSuccess().call(() -> {
                    calls++;
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void theDelayMayDependOnTheFailure() throws Exception {
        List<String> asked = new ArrayList<>();
        RetryPolicy policy = RetryPolicy.maxAttempts(5).withDelay(failure -> {
            asked.add(failure.getMessage());
            return SHORT;
        });
        policy.call(() -> failing(2));
        assertThat(asked).containsExactly("call 1", "call 2");
    }

    @Test
    void repeatsUntilAResultIsAccepted() throws Exception {
        RetryPolicy policy = RetryPolicy.maxAttempts(10).withDelay(SHORT);
        assertThat(policy.callUntil(() -> failing(0), result -> result == 4)).isEqualTo(4);
    }

    @Test
    void returnsTheLastResultWhenNoneIsAccepted() throws Exception {
        assertThat(RetryPolicy.maxAttempts(3).callUntil(() -> failing(0), result -> false))
                .isEqualTo(3);
        assertThat(RetryPolicy.untilSuccess()
                        .withDelay(SHORT)
                        .withTimeout(Duration.ofMillis(50))
                        .callUntil(() -> false, result -> result))
                .isFalse();
    }

    @Test
    void throwsTheLastFailureAfterTheTimeout() {
        RetryPolicy policy = RetryPolicy.untilSuccess().withDelay(SHORT).withTimeout(Duration.ofMillis(50));
        assertThatThrownBy(() -> policy.call(() -> failing(Integer.MAX_VALUE)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anInterruptEndsTheDelay() throws Exception {
        var failed = new CountDownLatch(1);
        var ended = new CompletableFuture<Throwable>();
        RetryPolicy policy = RetryPolicy.untilSuccess().withDelay(Duration.ofDays(1));
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                policy.call(() -> {
                    failed.countDown();
                    throw new IllegalStateException();
                });
            } catch (InterruptedException | RuntimeException e) {
                ended.complete(e);
            }
        });
        failed.await();
        thread.interrupt();
        assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    }
}
