package svc.realtime.reader;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What was published and Redis has not accepted yet. The reading thread adds; Redis' answers come on others. */
final class InFlight {
    /** Less than the bus lets one project have unconfirmed, by more than the largest batch. */
    private static final long MAX_BYTES = 4L << 20;

    private final Runnable refusal;
    private Future<Void> accepted = Future.succeededFuture();
    private long bytes;
    private volatile Throwable refused;

    /** @param refusal runs when Redis refuses a batch */
    InFlight(Runnable refusal) {
        this.refusal = refusal;
    }

    void add(int size, Future<Void> published) {
        synchronized (this) {
            bytes += size;
        }
        accepted = accepted.isComplete() && accepted.succeeded()
                ? published
                : Future.join(accepted, published).mapEmpty();
        published.onComplete(outcome -> {
            if (outcome.failed()) {
                refused = outcome.cause();
                refusal.run();
            }
            synchronized (this) {
                bytes -= size;
                notifyAll();
            }
        });
    }

    /** Runs when all that was added until now is accepted; never when some of it is refused. */
    @SuppressWarnings("FutureReturnValueIgnored") // A refusal ends the reading.
    void whenAccepted(Runnable action) {
        accepted.onSuccess(all -> action.run());
    }

    /** Waits for so long until there is place for more. @return whether there is */
    synchronized boolean hasPlace(Duration patience) throws InterruptedException {
        if (bytes > MAX_BYTES) {
            wait(patience.toMillis());
        }
        return bytes <= MAX_BYTES;
    }

    /** Waits for so long until everything is accepted. @return whether it is */
    boolean isAccepted(Duration patience) throws InterruptedException {
        try {
            accepted.toCompletionStage().toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    Optional<Throwable> refused() {
        return Optional.ofNullable(refused);
    }
}
