package svc.platform.egress;

import io.vertx.core.Context;
import java.time.Duration;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetSettings;
import svc.platform.budget.Lifetime;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.memory.ByteBudget;

/**
 * How many outgoing calls a project, an organisation and the process have under way at once, and the memory of their answers.
 * A slow receiver keeps a call until its deadline: without shares, the receivers of one project would take all connections.
 */
final class CallShares {
    /** Each has a connection. */
    static final int MAX_CALLS = 512;

    static final int MAX_CALLS_OF_PROJECT = 32;

    /** One more is refused at once. Its request is held by its caller meanwhile. */
    static final int MAX_WAITING_OF_PROJECT = 256;

    private static final int MAX_WAITING = 8 * MAX_CALLS;

    /** One alone has seven tenths of the calls, and an eighth of them is for organisations that have few. */
    private static final Limit OF_ORGANIZATION = new Limit.DynamicShare(1, 4);

    private static final Limit OF_PROJECT = new Limit.Fixed(MAX_CALLS_OF_PROJECT);

    private final Budget calls;
    private final ByteBudget memory;

    /**
     * @param kind as metrics name it
     * @param memory of answers while they arrive
     */
    CallShares(String kind, ByteBudget memory) {
        this.calls = new Budget(kind, BudgetSettings.of(MAX_CALLS).withLine(MAX_WAITING));
        this.memory = memory;
    }

    /**
     * Takes a place for a call, on its context; calls back once, unless the call ends first.
     *
     * @param call the place is returned with its end
     */
    void take(CallOwner owner, Lifetime call, Duration patience, Context context, Callbacks callbacks) {
        Account project = calls.whole()
                .part(owner.organization(), OF_ORGANIZATION)
                .part(owner.ref(), OF_PROJECT, MAX_WAITING_OF_PROJECT);
        project.request(call, 1, patience, work -> context.runOnContext(now -> work.run()), outcome -> {
            if (outcome instanceof Outcome.Granted) {
                callbacks.granted().run();
            } else {
                callbacks.refused().run();
            }
        });
    }

    /** What follows a request for a place. */
    record Callbacks(Runnable granted, Runnable refused) {}

    /** Holds the bytes of one answer. The caller closes it. */
    ByteBudget.Permit memory(CallOwner owner) {
        return memory.ofProject(owner.organization(), owner.ref()).open();
    }

    /** For metrics. */
    Budget calls() {
        return calls;
    }
}
