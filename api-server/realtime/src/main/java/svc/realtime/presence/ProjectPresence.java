package svc.realtime.presence;

import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import svc.platform.memory.ByteBudget;
import svc.realtime.bus.ProjectBus;
import svc.realtime.message.RoomKey;
import svc.realtime.presence.PresenceMessage.Kind;

/**
 * The presences of one project: those of this process and copies of the others'. Each process tells its changes and, while
 * it has any presence, that it is alive; the presences of one that is silent leave. Thread-safe; callbacks run within the
 * lock, so that what a channel receives first is the state and then each change of it.
 */
public final class ProjectPresence {
    /** Between two signs of life. */
    static final long BEAT_NANOS = 5_000_000_000L;

    /** Of silence until a process counts as lost: within the 30 s that users of Phoenix know. */
    static final long LOST_NANOS = 20_000_000_000L;

    /** Of all presences of a topic: a channel that joins receives them in one message. */
    public static final long MAX_ROOM_BYTES = 1L << 20;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final UUID projectId;
    private final ProjectBus bus;
    private final ByteBudget.Account memory;
    private final BiConsumer<RoomKey, String> changed;
    private final long own = RANDOM.nextLong();
    private final Map<RoomKey, Map<Long, Presence>> rooms = new HashMap<>();
    private final Map<RoomKey, Long> sizes = new HashMap<>();
    private final Map<Long, Process> processes = new HashMap<>();
    private final Map<Long, ByteBudget.Permit> permits = new HashMap<>();
    private Future<ProjectBus.Listener> listening;
    private long refs = RANDOM.nextInt() & 0xffffffffL;
    private long beatAt;

    /** A process with presences; this one is among them. */
    private static final class Process {
        private long number;
        private long heard;
        private final Map<Long, Presence> presences = new LinkedHashMap<>();
    }

    /** @param changed gets the payload of {@code presence_diff} for a room */
    public ProjectPresence(
            UUID projectId, ProjectBus bus, ByteBudget.Account memory, BiConsumer<RoomKey, String> changed) {
        this.projectId = projectId;
        this.bus = bus;
        this.memory = memory;
        this.changed = changed;
        processes.put(own, new Process());
    }

    /** Begins to hear of the presences of other processes; complete when that is so. */
    public synchronized Future<Void> listen() {
        if (listening == null || listening.failed()) {
            listening = bus.listen(
                    projectId,
                    ProjectBus.Kind.PRESENCE,
                    message -> received(PresenceMessage.decode(message)),
                    () -> ask(0));
            listening.onSuccess(begun -> ask(0));
        }
        return listening.mapEmpty();
    }

    /** Gives the payload of {@code presence_state} of a room. */
    public synchronized void state(RoomKey room, Consumer<String> receiver) {
        receiver.accept(PresenceJson.state(of(room).values()));
    }

    /** Presences of a room. */
    public synchronized int count(RoomKey room) {
        return of(room).size();
    }

    /** What became of a presence. */
    public enum Outcome {
        TRACKED,
        /** The project has no memory for it. */
        NO_MEMORY,
        ROOM_FULL
    }

    /**
     * Tracks what a channel is, or changes that.
     *
     * @param meta a JSON object
     */
    public synchronized Outcome track(RoomKey room, long channel, String key, String meta) {
        Presence before = of(room).get(channel);
        Presence now = new Presence(room, channel, key, nextRef(), before == null ? "" : before.ref(), meta);
        long others = sizes.getOrDefault(room, 0L) - (before == null ? 0 : before.length());
        if (others + now.length() > MAX_ROOM_BYTES) {
            return Outcome.ROOM_FULL;
        }
        ByteBudget.Permit permit = memory.open();
        if (permit.grow(now.weight()) != ByteBudget.Verdict.GRANTED) {
            permit.close();
            return Outcome.NO_MEMORY;
        }
        Process here = processes.get(own);
        put(here, now, permit);
        here.number++;
        changed.accept(room, PresenceJson.diff(List.of(now), before == null ? List.of() : List.of(before)));
        publish(Kind.TRACK, 0, List.of(now));
        return Outcome.TRACKED;
    }

    /** The channel tracks nothing any more. */
    public synchronized void untrack(RoomKey room, long channel) {
        Process here = processes.get(own);
        remove(here, channel).ifPresent(gone -> {
            here.number++;
            changed.accept(room, PresenceJson.diff(List.of(), List.of(gone)));
            publish(Kind.UNTRACK, channel, List.of());
        });
    }

    /** Called every few seconds. */
    public synchronized void tick(long now) {
        Process here = processes.get(own);
        if (!here.presences.isEmpty() && now - beatAt >= BEAT_NANOS) {
            beatAt = now;
            publish(Kind.BEAT, 0, List.of());
        }
        List<Long> lost = new ArrayList<>();
        processes.forEach((id, process) -> {
            if (id != own && now - process.heard > LOST_NANOS) {
                lost.add(id);
            }
        });
        for (long id : lost) {
            replace(processes.get(id), List.of());
            processes.remove(id);
        }
    }

    /** Tells the others that the presences of this process have left, and forgets theirs. */
    public synchronized void close() {
        Process here = processes.get(own);
        List.copyOf(here.presences.values()).forEach(presence -> untrack(presence.room(), presence.channel()));
        permits.values().forEach(ByteBudget.Permit::close);
        permits.clear();
        rooms.clear();
        sizes.clear();
        processes.clear();
        processes.put(own, here);
        if (listening != null) {
            listening.onSuccess(ProjectBus.Listener::close);
            listening = null;
        }
    }

    private synchronized void received(PresenceMessage message) {
        if (message.process() == own) {
            return;
        }
        if (message.kind() == Kind.ASK) {
            Process here = processes.get(own);
            if ((message.target() == 0 || message.target() == own) && here.number > 0) {
                publish(Kind.STATE, 0, List.copyOf(here.presences.values()));
            }
            return;
        }
        Process from = processes.computeIfAbsent(message.process(), id -> new Process());
        from.heard = System.nanoTime();
        if (message.kind() == Kind.STATE) {
            replace(from, message.presences());
            from.number = message.number();
        } else if (message.kind() != Kind.BEAT && message.number() == from.number + 1) {
            from.number = message.number();
            change(from, message);
        } else if (message.number() != from.number) {
            ask(message.process());
        }
    }

    private void change(Process from, PresenceMessage message) {
        if (message.kind() == Kind.UNTRACK) {
            remove(from, message.target())
                    .ifPresent(gone -> changed.accept(gone.room(), PresenceJson.diff(List.of(), List.of(gone))));
            return;
        }
        for (Presence now : message.presences()) {
            Presence before = from.presences.get(now.channel());
            if (copy(from, now)) {
                changed.accept(
                        now.room(), PresenceJson.diff(List.of(now), before == null ? List.of() : List.of(before)));
            }
        }
    }

    /** Another process's presences as it has them now: differences become changes of each room. */
    private void replace(Process from, Collection<Presence> now) {
        Map<RoomKey, List<Presence>> joins = new LinkedHashMap<>();
        Map<RoomKey, List<Presence>> leaves = new LinkedHashMap<>();
        Map<Long, Presence> after = new HashMap<>();
        now.forEach(presence -> after.put(presence.channel(), presence));
        for (Presence before : List.copyOf(from.presences.values())) {
            if (!before.equals(after.get(before.channel()))) {
                remove(from, before.channel());
                leaves.computeIfAbsent(before.room(), room -> new ArrayList<>()).add(before);
            }
        }
        for (Presence presence : now) {
            if (!from.presences.containsKey(presence.channel()) && copy(from, presence)) {
                joins.computeIfAbsent(presence.room(), room -> new ArrayList<>())
                        .add(presence);
            }
        }
        leaves.forEach((room, gone) ->
                changed.accept(room, PresenceJson.diff(joins.getOrDefault(room, List.of()), gone)));
        joins.forEach((room, come) -> {
            if (!leaves.containsKey(room)) {
                changed.accept(room, PresenceJson.diff(come, List.of()));
            }
        });
    }

    private boolean copy(Process from, Presence presence) {
        ByteBudget.Permit permit = memory.open();
        if (permit.grow(presence.weight()) != ByteBudget.Verdict.GRANTED) {
            permit.close();
            return false;
        }
        put(from, presence, permit);
        return true;
    }

    private void put(Process of, Presence presence, ByteBudget.Permit permit) {
        of.presences.put(presence.channel(), presence);
        Presence replaced = rooms.computeIfAbsent(presence.room(), room -> new LinkedHashMap<>())
                .put(presence.channel(), presence);
        grow(presence.room(), presence.length() - (replaced == null ? 0 : replaced.length()));
        ByteBudget.Permit before = permits.put(presence.channel(), permit);
        if (before != null) {
            before.close();
        }
    }

    private Optional<Presence> remove(Process of, long channel) {
        Presence gone = of.presences.remove(channel);
        if (gone == null) {
            return Optional.empty();
        }
        Map<Long, Presence> room = of(gone.room());
        room.remove(channel);
        grow(gone.room(), -gone.length());
        if (room.isEmpty()) {
            rooms.remove(gone.room());
        }
        permits.remove(channel).close();
        return Optional.of(gone);
    }

    private void grow(RoomKey room, long bytes) {
        sizes.merge(room, bytes, (before, change) -> before + change == 0 ? null : before + change);
    }

    private Map<Long, Presence> of(RoomKey room) {
        return rooms.getOrDefault(room, new HashMap<>());
    }

    private void ask(long process) {
        publish(Kind.ASK, process, List.of());
    }

    private synchronized void publish(Kind kind, long target, List<Presence> presences) {
        long number = processes.get(own).number;
        bus.publish(
                projectId,
                ProjectBus.Kind.PRESENCE,
                new PresenceMessage(kind, own, number, target, presences).encode());
    }

    private String nextRef() {
        return HexFormat.of().toHexDigits(own ^ (refs++ << 8)).substring(2);
    }
}
