package svc.realtime.bus;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import svc.platform.realtime.ActivityScript;
import svc.platform.realtime.RealtimeActivity;

/**
 * Exchanges with the other processes how much each project has open, over a connection of its own. Without Redis each process knows of itself alone. Thread-safe; does not block.
 */
public final class ActivityExchange implements AutoCloseable {
    /** Of questions that Redis has not answered; the rest waits for its next turn. */
    private static final int MAX_WAITING = 1_000;

    private final UUID process = UUID.randomUUID();
    private final ReconnectingConnection connection;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Set<UUID> notified = ConcurrentHashMap.newKeySet();

    public ActivityExchange(Vertx vertx, Redis redis) {
        this.connection = new ReconnectingConnection(vertx, redis, ReconnectingConnection.none());
    }

    /**
     * Exchanges a project's activity.
     *
     * @param others gets that of the other processes together, and nothing of it while Redis is away
     * @return false when too many wait: ask again later
     */
    public boolean exchange(UUID projectId, RealtimeActivity own, Consumer<RealtimeActivity> others) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return false;
        }
        notified.add(projectId);
        connection
                .send(request(Command.EVAL, ActivityScript.exchange(projectId, process, own)))
                .onComplete(answer -> {
                    waiting.decrementAndGet();
                    others.accept(answer.succeeded() ? ActivityScript.sum(answer.result()) : RealtimeActivity.NONE);
                });
        return true;
    }

    /** Removes this process's counts of all other projects: they have nothing open here any more. */
    public void keepOnly(Set<UUID> open) {
        notified.removeIf(projectId -> {
            boolean gone = !open.contains(projectId);
            if (gone) {
                connection.ifOpen(redis -> redis.send(request(Command.HDEL, ActivityScript.leave(projectId, process))));
            }
            return gone;
        });
    }

    private static Request request(Command command, List<String> arguments) {
        Request request = Request.cmd(command);
        arguments.forEach(request::arg);
        return request;
    }

    @Override
    public void close() {
        connection.close();
    }
}
