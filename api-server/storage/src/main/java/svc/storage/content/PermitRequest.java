package svc.storage.content;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Consumer;
import svc.platform.budget.Lifetime;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.ByteBudget.Awaited;

/** Asks for memory on an event loop, and waits in line for a while. */
public final class PermitRequest {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private PermitRequest() {}

    /**
     * Called on an event loop, on which one of the callbacks is called: at once, or later.
     *
     * @param owner when it ends first, neither is called, and nothing is held
     * @param granted gets the permit, which ends with its owner
     */
    public static void take(
            ByteBudget.Account account,
            Lifetime owner,
            long bytes,
            Consumer<ByteBudget.Permit> granted,
            Runnable refused) {
        Context loop = Vertx.currentContext();
        account.request(owner, bytes, MAX_WAIT, work -> loop.runOnContext(now -> work.run()), awaited -> {
            switch (awaited) {
                case Awaited.Granted(ByteBudget.Permit permit) -> granted.accept(permit);
                case Awaited.Refused refusal -> refused.run();
            }
        });
    }
}
