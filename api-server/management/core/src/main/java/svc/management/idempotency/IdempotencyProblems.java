package svc.management.idempotency;

import java.time.Duration;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** Why a call with a key does not run. */
final class IdempotencyProblems {
    private static final Duration RETRY_RUNNING = Duration.ofSeconds(2);
    private static final Duration RETRY_FULL = Duration.ofMinutes(10);

    private IdempotencyProblems() {}

    static Problem other() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_REUSED,
                        "The idempotency key was used with a different method, path or body.")
                .withHint("Use a new key for a new request.");
    }

    static Problem running() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_IN_USE,
                        "The first request with this idempotency key is still being processed.")
                .withHint("Retry the request after the seconds in Retry-After: it gets the first one's answer.")
                .retryAfter(RETRY_RUNNING);
    }

    static Problem notKept() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_ANSWER_NOT_KEPT,
                        "The request with this idempotency key was made before, and its answer is not available any"
                                + " more. Nothing was done now.")
                .withHint("An answer is kept up to " + (IdempotencyFilter.MAX_ANSWER >> 10)
                        + " KiB, for the token that made the request, in the same spelling and with the permissions that it"
                        + " had. Read the resource itself.");
    }

    static Problem full() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEYS_EXHAUSTED,
                        "The token or its organisation has used as many idempotency keys within "
                                + IdempotentCalls.KEPT.toHours() + " hours as it may have. Nothing was done.")
                .withHint("Send the request without the header, or retry later.")
                .retryAfter(RETRY_FULL);
    }
}
