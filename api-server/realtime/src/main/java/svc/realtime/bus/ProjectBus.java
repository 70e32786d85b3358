package svc.realtime.bus;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Messages between the processes that serve a project: at most once, in the order of each publisher, over Redis. A message
 * also reaches the listeners of its own process, without waiting for Redis. Keys begin with the project's id (DESIGN §4,
 * rule 8).
 */
public interface ProjectBus {
    /** The kinds of messages; each has a channel of its own. */
    enum Kind {
        BROADCAST,
        PRESENCE,
        CHANGES
    }

    /** Completes when Redis has the message, fails when it cannot be reached. */
    Future<Void> publish(UUID projectId, Kind kind, Buffer message);

    /**
     * Receives what is published from the completion on.
     *
     * @param receiver called on an event loop, or by the thread that publishes in this process; it must not block
     * @param interrupted called after the connection to Redis was lost: once it is restored, and before a message of this
     *     process that arrives earlier. Messages of others may be missing
     */
    Future<Listener> listen(UUID projectId, Kind kind, Consumer<Buffer> receiver, Runnable interrupted);

    /** Ends by {@link #close()}. */
    interface Listener {
        void close();
    }
}
