package svc.realtime.channel;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.realtime.bus.ActivityExchange;
import svc.realtime.message.Broadcast;
import svc.realtime.message.Serializer;
import svc.realtime.socket.Connection;
import svc.realtime.socket.SocketLimits;

/** The projects that have sockets in this process. Thread-safe. */
public final class RealtimeProjects {
    private static final int SERVICE_RESTART = 1012;
    private static final int IDLE = 1000;

    private final ChannelServices services;
    private final SocketLimits limits;
    private final Duration idle;
    private final Map<String, ProjectChannels> projects = new ConcurrentHashMap<>();
    private volatile boolean draining;

    /** Of the thread that exchanges. */
    private int exchanged;

    /** @param idle time without a message of the client after which its socket is closed */
    public RealtimeProjects(ChannelServices services, SocketLimits limits, Duration idle) {
        this.services = services;
        this.limits = limits;
        this.idle = idle;
    }

    /** Why a socket is not opened. */
    public enum Refusal {
        DRAINING,
        DISABLED,
        TOO_MANY
    }

    /** Whether messages by request may be delivered. */
    public enum Delivery {
        MAY,
        /** Not now. */
        LATER,
        /** At no time: they are too many for one request. */
        TOO_MANY
    }

    /** Whether members of rooms in this process may be sent messages by request now. */
    public Delivery delivery(Tenant tenant, List<Broadcast> messages) {
        ProjectChannels project = projects.get(tenant.ref());
        return project == null ? Delivery.MAY : project.delivery(messages);
    }

    /** Whether one more socket may be opened; asked before the handshake. */
    public Optional<Refusal> refusal(Tenant tenant) {
        if (draining) {
            return Optional.of(Refusal.DRAINING);
        }
        if (!tenant.realtime().enabled()) {
            return Optional.of(Refusal.DISABLED);
        }
        ProjectChannels project = projects.get(tenant.ref());
        return project != null && project.connections() >= tenant.realtime().maxConnections()
                ? Optional.of(Refusal.TOO_MANY)
                : Optional.empty();
    }

    /** Begins a conversation; called on the event loop of the socket. */
    public void open(
            Tenant tenant, Caller caller, Serializer serializer, HttpServerRequest request, ServerWebSocket socket) {
        Connection connection = Connection.of(request, socket, services.memory().apply(tenant.ref()), limits);
        SocketCredentials credentials = SocketCredentials.of(caller, request);
        Session[] session = new Session[1];
        projects.compute(tenant.ref(), (ref, there) -> {
            ProjectChannels project = there == null ? new ProjectChannels(services, tenant) : there;
            session[0] = new Session(connection, serializer, project, credentials, () -> ended(ref, session[0]));
            project.sessions().add(session[0]);
            return project;
        });
        connection.begin(session[0]);
        if (draining) {
            connection.close(SERVICE_RESTART, "Service restart");
        }
    }

    private void ended(String ref, Session session) {
        projects.computeIfPresent(ref, (key, project) -> {
            project.sessions().remove(session);
            if (project.sessions().isEmpty()) {
                project.close();
                return null;
            }
            return project;
        });
    }

    /** A project has changed, or is gone. */
    public void changed(String ref, Optional<Tenant> now) {
        ProjectChannels project = projects.get(ref);
        if (project == null) {
            return;
        }
        Tenant before = project.tenant();
        now.ifPresent(project::changed);
        if (now.isEmpty() || !now.get().realtime().enabled()) {
            each(project, Session::disconnect);
        } else if (!sameKeys(before, now.get())) {
            each(project, Session::verify);
        }
    }

    private static boolean sameKeys(Tenant before, Tenant now) {
        return before.keyVersions().equals(now.keyVersions())
                && before.masterKeyVersion() == now.masterKeyVersion()
                && before.tokens().equals(now.tokens());
    }

    /** Ends idle sockets and expired tokens, and keeps presences alive; called every few seconds. */
    public void tick() {
        tick(System.nanoTime());
    }

    /** @param now by {@link System#nanoTime} */
    public void tick(long now) {
        projects.values().forEach(project -> {
            project.presence().tick(now);
            project.checkPolicies();
            each(project, session -> {
                if (now - session.connection().lastReceived() > idle.toNanos()) {
                    session.connection().close(IDLE, "No heartbeat");
                } else {
                    session.check();
                }
            });
        });
    }

    /**
     * Tells the other processes what projects have open here, and learns what they have open there; called every second. With
     * more projects than Redis takes, those that waited come first the next time.
     */
    public void exchange(ActivityExchange with) {
        List<ProjectChannels> open = List.copyOf(projects.values());
        with.keepOnly(open.stream().map(project -> project.tenant().projectId()).collect(Collectors.toSet()));
        int from = open.isEmpty() ? 0 : Math.floorMod(exchanged, open.size());
        for (int count = 0; count < open.size(); count++) {
            if (!open.get((from + count) % open.size()).exchange(with)) {
                return;
            }
            exchanged++;
        }
    }

    /** Asks clients to come back, which leads them to other processes; not all in the same moment. */
    public void drain(Duration spread) {
        draining = true;
        long millis = Math.max(1, spread.toMillis());
        projects.values()
                .forEach(project -> project.sessions()
                        .forEach(session -> session.connection()
                                .later(
                                        ThreadLocalRandom.current().nextLong(millis),
                                        () -> session.connection().close(SERVICE_RESTART, "Service restart"))));
    }

    /** Open sockets. */
    public int connections() {
        return projects.values().stream()
                .mapToInt(project -> project.sessions().size())
                .sum();
    }

    /** Joined channels. */
    public int channels() {
        return projects.values().stream().mapToInt(ProjectChannels::channels).sum();
    }

    private static void each(ProjectChannels project, Consumer<Session> action) {
        project.sessions().forEach(session -> session.connection().run(() -> action.accept(session)));
    }
}
