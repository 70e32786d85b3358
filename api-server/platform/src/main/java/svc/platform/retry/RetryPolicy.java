package svc.platform.retry;

import io.smallrye.faulttolerance.core.FaultToleranceContext;
import io.smallrye.faulttolerance.core.Future;
import io.smallrye.faulttolerance.core.Invocation;
import io.smallrye.faulttolerance.core.retry.AsyncDelay;
import io.smallrye.faulttolerance.core.retry.BackOff;
import io.smallrye.faulttolerance.core.retry.CustomBackOff;
import io.smallrye.faulttolerance.core.retry.ExponentialBackOff;
import io.smallrye.faulttolerance.core.retry.Jitter;
import io.smallrye.faulttolerance.core.retry.Retry;
import io.smallrye.faulttolerance.core.retry.ThreadSleepDelay;
import io.smallrye.faulttolerance.core.stopwatch.SystemStopwatch;
import io.smallrye.faulttolerance.core.util.ExceptionDecision;
import io.smallrye.faulttolerance.core.util.ResultDecision;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceException;

/**
 * How often, after which delay and after which failures an operation is repeated. Immutable. A call blocks its thread
 * while it waits: never on an event loop.
 *
 * <p>Built on the core of SmallRye Fault Tolerance. Its standalone builder would start a timer thread that keeps the
 * process alive, for asynchronous calls that nothing here makes.
 */
public final class RetryPolicy {
    private static final long UNLIMITED = -1;
    private static final int FACTOR = 2;

    private final long maxRetries;
    private final Duration timeout;
    private final Supplier<BackOff> backOff;
    private final Predicate<Throwable> retried;

    private RetryPolicy(long maxRetries, Duration timeout, Supplier<BackOff> backOff, Predicate<Throwable> retried) {
        this.maxRetries = maxRetries;
        this.timeout = timeout;
        this.backOff = backOff;
        this.retried = retried;
    }

    /** At most this many calls of the operation, at once one after the other, after any RuntimeException. */
    public static RetryPolicy maxAttempts(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("an operation is attempted once at least");
        }
        return new RetryPolicy(attempts - 1L, Duration.ZERO, () -> BackOff.ZERO, RuntimeException.class::isInstance);
    }

    /** Without a limit on the number of calls. */
    public static RetryPolicy untilSuccess() {
        return new RetryPolicy(UNLIMITED, Duration.ZERO, () -> BackOff.ZERO, RuntimeException.class::isInstance);
    }

    /** The same delay before each retry. */
    public RetryPolicy withDelay(Duration delay) {
        return withDelay(failure -> delay);
    }

    /** A delay that depends on the last failure, such as a server's Retry-After. */
    public RetryPolicy withDelay(Function<Throwable, Duration> delay) {
        return new RetryPolicy(
                maxRetries,
                timeout,
                () -> new CustomBackOff(failure -> delay.apply(failure).toMillis()),
                retried);
    }

    /** Delays that double from the initial one to the largest. */
    public RetryPolicy withExponentialBackoff(Duration initial, Duration max) {
        return new RetryPolicy(
                maxRetries,
                timeout,
                () -> new ExponentialBackOff(initial.toMillis(), FACTOR, Jitter.ZERO, max.toMillis()),
                retried);
    }

    /** No attempt begins later than this after the first one. */
    public RetryPolicy withTimeout(Duration time) {
        return new RetryPolicy(maxRetries, time, backOff, retried);
    }

    /** Only these failures lead to a retry; any other is thrown at once. */
    public RetryPolicy retryOn(Predicate<Throwable> failures) {
        return new RetryPolicy(maxRetries, timeout, backOff, failures);
    }

    /**
     * The result of the first call that succeeds.
     *
     * @throws RuntimeException the last failure, when it is not to be retried or the policy is exhausted
     * @throws InterruptedException when the thread is interrupted during a delay
     */
    public <T> T call(Supplier<T> operation) throws InterruptedException {
        return callUntil(operation, result -> true);
    }

    /**
     * The first result that is accepted, or the last one when the policy is exhausted.
     *
     * @throws RuntimeException the last failure, when it is not to be retried or the policy is exhausted
     * @throws InterruptedException when the thread is interrupted during a delay
     */
    public <T> T callUntil(Supplier<T> operation, Predicate<? super T> accepted) throws InterruptedException {
        var last = new AtomicReference<T>();
        ResultDecision unusable = result -> accepted.test(last.get());
        ExceptionDecision fatal = failure -> !retried.test(failure);
        var retry = new Retry<T>(
                Invocation.invocation(),
                "operation",
                unusable,
                fatal,
                maxRetries,
                timeout.toMillis(),
                () -> new ThreadSleepDelay(backOff.get()),
                AsyncDelay.NONE,
                SystemStopwatch.INSTANCE,
                null);
        try {
            return retry.apply(new FaultToleranceContext<>(
                            () -> Future.from(() -> {
                                T result = operation.get();
                                last.set(result);
                                return result;
                            }),
                            false))
                    .awaitBlocking();
        } catch (FaultToleranceException e) {
            // Exhausted without a failure: each result was refused.
            return last.get();
        } catch (InterruptedException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a supplier threw a checked exception", e);
        }
    }
}
