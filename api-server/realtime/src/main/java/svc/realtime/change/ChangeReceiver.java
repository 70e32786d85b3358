package svc.realtime.change;

import java.util.List;

/** One channel, as the change feed sees it. The methods must return quickly. */
public interface ChangeReceiver {
    /** From now on no committed change is missed. */
    void subscribed();

    /** The bindings cannot be served. @param message for the client, in Supabase's words */
    void refused(String message);

    /**
     * A change for some of the bindings.
     *
     * @param ids of {@link NumberedBinding#id()}, at least one
     * @param data shared between receivers
     */
    void changed(List<Integer> ids, ChangeData data);

    /** Changes were lost or withheld, such as by a policy that raises. @param message for the client */
    void failed(String message);
}
