package svc.realtime.bus;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The bus of a project whose sockets are all in this process: it needs no Redis, and nothing is ever lost on it. */
public final class LocalProjectBus implements ProjectBus {
    private final Map<Channel, List<Consumer<Buffer>>> channels = new ConcurrentHashMap<>();

    private record Channel(UUID projectId, Kind kind) {}

    @Override
    public Future<Void> publish(UUID projectId, Kind kind, Buffer message) {
        channels.getOrDefault(new Channel(projectId, kind), List.of()).forEach(receiver -> receiver.accept(message));
        return Future.succeededFuture();
    }

    @Override
    public Future<Listener> listen(UUID projectId, Kind kind, Consumer<Buffer> receiver, Runnable interrupted) {
        var channel = new Channel(projectId, kind);
        // An object of its own: one receiver may listen twice.
        Consumer<Buffer> registration = message -> receiver.accept(message);
        channels.compute(channel, (key, receivers) -> {
            List<Consumer<Buffer>> all = receivers == null ? new CopyOnWriteArrayList<>() : receivers;
            all.add(registration);
            return all;
        });
        return Future.succeededFuture(() -> channels.computeIfPresent(channel, (key, receivers) -> {
            receivers.remove(registration);
            return receivers.isEmpty() ? null : receivers;
        }));
    }
}
