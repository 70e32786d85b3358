package svc.storage.content;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Lifetime;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.storage.content.StoreException.Kind;

/**
 * Connections to the store, shared by projects as memory is: one alone may use half of them, and a few are always left for
 * those that use none. A call lasts as long as the store takes, never as long as a client does.
 */
public final class StoreConnections {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /** A share in which one connection is never too many. */
    private static final Limit SHARE = new Limit.DynamicShare(1);

    private final Budget connections;

    /**
     * @param kind as metrics name it
     * @param connections at the same time
     */
    public StoreConnections(String kind, int connections) {
        this.connections = new Budget(kind, connections);
    }

    private Account of(String owner) {
        return connections.whole().part(owner, SHARE);
    }

    /**
     * The same for a call that is made on an event loop, on which one of the callbacks is called.
     *
     * @param call when it ends first, neither is called; the connection is returned with its end
     */
    void take(String owner, Lifetime call, Runnable granted, Consumer<StoreException> refused) {
        Context loop = Vertx.currentContext();
        of(owner).request(call, 1, MAX_WAIT, work -> loop.runOnContext(now -> work.run()), outcome -> {
            if (outcome instanceof Outcome.Granted) {
                granted.run();
            } else {
                refused.accept(busy());
            }
        });
    }

    /** For metrics. */
    public Budget budget() {
        return connections;
    }

    /** Zero when no call is on its way. */
    long held() {
        return connections.held();
    }

    private static StoreException busy() {
        return new StoreException(Kind.BUSY, "the project's calls use its share of the store", null);
    }

    public <T> T take(String owner, Supplier<T> call) {
        try {
            return switch (of(owner).await(1, MAX_WAIT)) {
                case Outcome.Granted granted -> {
                    try (var permit = granted.permit()) {
                        yield call.get();
                    }
                }
                case Outcome.Busy refused -> throw busy();
                case Outcome.TooLarge refused -> throw busy();
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.FAILED, "interrupted", e);
        }
    }
}
