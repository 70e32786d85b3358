package svc.embedded.pods;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import svc.embedded.pods.GatewayLimits.Holder;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Lifetime;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;

/**
 * Places for calls that are under way. The next one goes to the project with the fewest, of these to the function with the
 * fewest, so that a flood of one project delays its own calls. Calls of a function to a function count against its own
 * share alone: the callee's calls need the others.
 */
final class CallPlaces {
    private final GatewayLimits.Share most;
    private final Budget calls;

    CallPlaces(GatewayLimits.Share most) {
        this.most = most;
        this.calls = new Budget("function-calls", most.all());
    }

    /**
     * One call's way to its place.
     *
     * @param life of the call, with which its place is returned
     * @param patience longest wait
     * @param on runs the receiver when the call had to wait
     */
    record Arrival(Holder holder, boolean nested, Lifetime life, Duration patience, Executor on) {}

    void request(Arrival call, Consumer<Outcome> receiver) {
        account(call.holder(), call.nested()).request(call.life(), 1, call.patience(), call.on(), receiver);
    }

    private Account account(Holder holder, boolean nested) {
        Account ofFunction = calls.across(holder.project() + "/" + holder.function(), most.function());
        return nested
                ? ofFunction
                : calls.whole()
                        .part(holder.project(), new Limit.Fixed(most.project()))
                        .part(holder.function(), Limit.NONE)
                        .within(ofFunction);
    }
}
