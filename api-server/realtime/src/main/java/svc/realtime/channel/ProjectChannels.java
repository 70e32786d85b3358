package svc.realtime.channel;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import svc.crds.project.service.RealtimeSpec;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.realtime.bus.ActivityExchange;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.DatabaseLogs;
import svc.realtime.message.Broadcast;
import svc.realtime.message.Frame;
import svc.realtime.message.Rate;
import svc.realtime.message.RoomKey;
import svc.realtime.presence.ProjectPresence;

/**
 * What one project has open in this process: sockets, rooms, presences, and its rates. Exists while it has a socket.
 * Thread-safe.
 */
final class ProjectChannels {
    private static final int PRESENCE_BURST_SECONDS = 5;

    /** Of long presences to all members of their rooms: what a change has beyond these first bytes. */
    private static final int FREE_PRESENCE_BYTES = 1 << 10;

    private static final int PRESENCE_BYTES_PER_SECOND = 8 << 20;
    private static final int PRESENCE_BYTES_BURST_SECONDS = 2;

    private final ChannelServices services;
    private final Map<RoomKey, Room> rooms = new ConcurrentHashMap<>();
    private final Map<RoomKey, Integer> sizes = new ConcurrentHashMap<>();
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final AtomicInteger channels = new AtomicInteger();
    private final AtomicInteger subscriptions = new AtomicInteger();
    private final AtomicInteger privateChannels = new AtomicInteger();
    private final AtomicBoolean askingPolicies = new AtomicBoolean();
    private final Rechecks rechecks = new Rechecks();

    /** The version of the policies that open channels were last judged by; none before the first. */
    private volatile String policies = "";

    private final ProjectShare share = new ProjectShare();
    private final Rate presenceMessages = new Rate(PRESENCE_BURST_SECONDS);
    private final Rate presenceBytes = new Rate(PRESENCE_BYTES_BURST_SECONDS);
    private final ProjectPresence presence;
    private volatile Tenant tenant;
    private final Optional<DatabaseLogs.Following> following;
    private Future<ProjectBus.Listener> listening;
    private Future<Void> replication;
    private boolean closed;

    ProjectChannels(ChannelServices services, Tenant tenant) {
        this.services = services;
        this.tenant = tenant;
        this.presence = new ProjectPresence(
                tenant.projectId(), services.bus(), services.memory().apply(tenant.ref()), this::presenceChanged);
        this.following = services.logs().map(logs -> logs.follow(tenant));
        services.policies().use(tenant);
    }

    Tenant tenant() {
        return tenant;
    }

    RealtimeSpec limits() {
        return tenant.realtime();
    }

    ChannelServices services() {
        return services;
    }

    Rechecks rechecks() {
        return rechecks;
    }

    /** Asks whether policies have changed, while private channels are open; called every few seconds. */
    void checkPolicies() {
        if (privateChannels.get() == 0 || !askingPolicies.compareAndSet(false, true)) {
            return;
        }
        services.policies().version(tenant).onComplete(end -> {
            if (end.succeeded() && !end.result().equals(policies)) {
                policies = end.result();
                sessions.forEach(session -> session.connection().run(session::policiesChanged));
            }
            askingPolicies.set(false);
        });
    }

    ProjectPresence presence() {
        return presence;
    }

    /** The account of what its sockets make the process keep. */
    ByteBudget.Account memory() {
        return services.memory().apply(tenant.ref());
    }

    Set<Session> sessions() {
        return sessions;
    }

    int channels() {
        return channels.get();
    }

    /** A channel has table changes from now on, or no more. */
    void subscriptions(int change) {
        subscriptions.addAndGet(change);
    }

    /** Sockets of the project in all processes, by their last reports. */
    long connections() {
        return sessions.size() + share.others().connections();
    }

    /** Tells the other processes what is open here, and learns what is open there; false when that must wait. */
    boolean exchange(ActivityExchange with) {
        long lag = services.logs().map(logs -> logs.lagBytes(tenant)).orElse(0L);
        return with.exchange(
                tenant.projectId(),
                share.report(sessions.size(), channels.get(), subscriptions.get(), lag),
                share::others);
    }

    void changed(Tenant now) {
        tenant = now;
    }

    boolean takeJoin() {
        return share.takeJoin(limits().maxJoinsPerSecond());
    }

    boolean takeMessage() {
        return share.takeMessage(limits().maxMessagesPerSecond());
    }

    /**
     * Whether the members of rooms here may be sent messages by request now, which are then counted as they come: a message
     * for a room is as many as it has members.
     */
    RealtimeProjects.Delivery delivery(List<Broadcast> messages) {
        long deliveries = 0;
        for (Broadcast message : messages) {
            deliveries += sizes.getOrDefault(new RoomKey(message.topic(), message.isPrivate()), 0);
        }
        int limit = limits().maxMessagesPerSecond();
        if (messages.size() > 1 && deliveries > ProjectShare.requestBurst(limit)) {
            return RealtimeProjects.Delivery.TOO_MANY;
        }
        return share.mayDeliver(Math.clamp(deliveries, 0, Integer.MAX_VALUE), limit)
                ? RealtimeProjects.Delivery.MAY
                : RealtimeProjects.Delivery.LATER;
    }

    /** @param bytes of a change of presences, which each member of the room receives */
    boolean takePresenceBytes(RoomKey room, int bytes) {
        long beyond = Math.max(0, bytes - FREE_PRESENCE_BYTES);
        long sent = beyond * Math.max(sizes.getOrDefault(room, 0), presence.count(room));
        return presenceBytes.takeMany(Math.clamp(sent, 0, Integer.MAX_VALUE), PRESENCE_BYTES_PER_SECOND);
    }

    boolean takePresence() {
        return presenceMessages.take(limits().maxPresenceMessagesPerSecond());
    }

    /** Begins to hear of broadcasts of other processes; complete when that is so. */
    synchronized Future<Void> listen() {
        if (closed) {
            return Future.failedFuture("closed");
        }
        if (listening == null || listening.failed()) {
            listening = services.bus().listen(tenant.projectId(), ProjectBus.Kind.BROADCAST, this::received, () -> {});
        }
        return listening.mapEmpty();
    }

    /** Complete when messages that the project's database sends arrive. */
    synchronized Future<Void> replication() {
        if (replication == null || replication.failed()) {
            replication = services.logs()
                    .map(logs -> Future.fromCompletionStage(logs.ready(tenant)))
                    .orElseGet(() -> Future.failedFuture("this server reads no log of the project's database"));
        }
        return replication;
    }

    /** Sends to the members of a room everywhere. Fails when only those of this process were reached. */
    Future<Void> publish(Broadcast broadcast) {
        return services.bus().publish(tenant.projectId(), ProjectBus.Kind.BROADCAST, broadcast.toBus());
    }

    /** Called on the channel's event loop, as is {@link #leave}. */
    void enter(Channel channel) {
        rooms.compute(channel.room(), (key, room) -> {
            Room there = room == null ? new Room() : room;
            there.enter(channel);
            sizes.merge(key, 1, Integer::sum);
            return there;
        });
        channels.incrementAndGet();
        privateChannels.addAndGet(channel.room().isPrivate() ? 1 : 0);
    }

    void leave(Channel channel) {
        rooms.computeIfPresent(channel.room(), (key, room) -> {
            room.leave(channel);
            return sizes.merge(key, -1, (before, change) -> before + change == 0 ? null : before + change) == null
                    ? null
                    : room;
        });
        channels.decrementAndGet();
        privateChannels.addAndGet(channel.room().isPrivate() ? -1 : 0);
    }

    void close() {
        synchronized (this) {
            closed = true;
            if (listening != null) {
                listening.onSuccess(ProjectBus.Listener::close);
            }
        }
        presence.close();
        following.ifPresent(DatabaseLogs.Following::close);
    }

    private void received(Buffer message) {
        Broadcast broadcast = Broadcast.fromBus(message);
        RoomKey key = new RoomKey(broadcast.topic(), broadcast.isPrivate());
        Room room = rooms.get(key);
        if (room != null && counted(broadcast, sizes.getOrDefault(key, 0))) {
            Outgoing outgoing = new Outgoing(broadcast);
            room.each(channel -> channel.deliver(outgoing));
        }
    }

    /** Counts the deliveries of a message; false when they are by request and beyond the limit, which sockets must not pay for. */
    private boolean counted(Broadcast broadcast, int members) {
        int limit = limits().maxMessagesPerSecond();
        if (broadcast.byRequest()) {
            return share.takeDeliveries(members, limit);
        }
        share.spendMessages(members, limit);
        return true;
    }

    private void presenceChanged(RoomKey key, String diff) {
        Room room = rooms.get(key);
        if (room != null) {
            Frame[] frames = new Frame[2];
            room.each(channel -> channel.presenceChanged(diff, frames));
        }
    }
}
