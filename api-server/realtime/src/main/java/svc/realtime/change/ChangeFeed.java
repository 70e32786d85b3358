package svc.realtime.change;

import java.util.List;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;

/** The table changes of all projects that this process serves. Never blocks its caller. */
public interface ChangeFeed {
    /**
     * Begins to deliver. Changes that are committed after {@link ChangeReceiver#subscribed()} arrive; an error of a binding
     * arrives as {@link ChangeReceiver#refused}, and then no change does.
     *
     * @param caller its role and claims decide which rows are visible
     * @param bindings at least one
     * @param receiver called on any thread
     */
    ChangeSubscription subscribe(Tenant tenant, Caller caller, List<NumberedBinding> bindings, ChangeReceiver receiver);
}
