package svc.realtime.change;

import svc.platform.dataplane.Caller;

/** The table changes of one channel. Closing is final; every method may be called on any thread. */
public interface ChangeSubscription extends AutoCloseable {
    /** Changes that are delivered from now on are those that this caller may see: a new token of the channel. */
    void authorize(Caller caller);

    @Override
    void close();
}
