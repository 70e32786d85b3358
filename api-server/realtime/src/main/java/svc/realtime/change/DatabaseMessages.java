package svc.realtime.change;

import java.util.UUID;

/** Takes the messages that transactions of a project's database have broadcast, once each, in commit order. */
public interface DatabaseMessages {
    /** Must return quickly; called in the process that reads the database's log. */
    void committed(UUID projectId, DatabaseMessage message);
}
