package svc.realtime;

import java.util.UUID;
import java.util.function.Consumer;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.DatabaseMessage;
import svc.realtime.change.DatabaseMessages;
import svc.realtime.message.Broadcast;

/** Broadcasts the messages of databases to the rooms of all processes. */
final class DatabaseBroadcasts implements DatabaseMessages {
    private final ProjectBus bus;
    private final Consumer<UUID> swept;

    /** @param swept learns of projects that have messages to be deleted some day */
    DatabaseBroadcasts(ProjectBus bus, Consumer<UUID> swept) {
        this.bus = bus;
        this.swept = swept;
    }

    @Override
    public void committed(UUID projectId, DatabaseMessage message) {
        swept.accept(projectId);
        var broadcast = new Broadcast(
                message.topic(),
                message.isPrivate(),
                message.event(),
                message.binary(),
                "{\"id\":\"" + message.id() + "\"}",
                message.payload(),
                0);
        bus.publish(projectId, ProjectBus.Kind.BROADCAST, broadcast.toBus());
    }
}
