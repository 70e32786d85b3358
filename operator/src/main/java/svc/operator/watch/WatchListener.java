package svc.operator.watch;

import java.util.UUID;
import svc.operator.watch.rule.Action;

/** Hears what a watch does. Returns at once and never throws: the watch goes on meanwhile. */
public interface WatchListener {
    /** @param database the configured name */
    void acted(String database, Action action);

    /** A project came into quarantine, or left it. All replicas of the operator hear this, about a second later. */
    void quarantineChanged(UUID project);
}
