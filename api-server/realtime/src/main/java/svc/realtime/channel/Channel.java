package svc.realtime.channel;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.function.Consumer;
import svc.realtime.message.Broadcast;
import svc.realtime.message.ClientMessage;
import svc.realtime.message.Frame;
import svc.realtime.message.JoinRefused;
import svc.realtime.message.RawJson;
import svc.realtime.message.RoomKey;

/**
 * One topic that a socket has joined. Lives on the socket's event loop; what takes time ends there, and does nothing for a
 * channel that is closed meanwhile.
 */
final class Channel {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Session session;
    private final ClientMessage.Event request;
    private final JoinConfig config;
    private final RoomKey room;
    private final long number = RANDOM.nextLong() | 1;
    private final ChannelBroadcasts broadcasts;
    private final ChannelChanges changes;
    private final ChannelPresence presence;
    private final ChannelAccess access;
    private boolean joined;
    private boolean closed;

    Channel(Session session, ClientMessage.Event join) {
        this.session = session;
        this.request = join;
        this.config = JoinConfig.of(join.payload());
        this.room = new RoomKey(join.topic().substring(Broadcast.PREFIX.length()), config.isPrivate());
        this.broadcasts = new ChannelBroadcasts(this, config);
        this.changes = new ChannelChanges(this, config);
        this.presence = new ChannelPresence(this, config);
        this.access = new ChannelAccess(this, config);
    }

    EventLoop loop() {
        return session.connection().loop();
    }

    Session session() {
        return session;
    }

    RoomKey room() {
        return room;
    }

    String topic() {
        return request.topic();
    }

    String joinRef() {
        return request.joinRef();
    }

    /** Unique over all processes. */
    long number() {
        return number;
    }

    ChannelAccess access() {
        return access;
    }

    boolean isOpen() {
        return joined && !closed;
    }

    /** Answers the join once every event that follows will arrive. */
    void join() {
        ProjectChannels project = session.project();
        if (project.limits().privateOnly() && !room.isPrivate()) {
            refuse(new JoinRefused("PrivateOnly: This project only allows private channels"));
            return;
        }
        if (config.replay().isPresent() && !room.isPrivate()) {
            refuse(new JoinRefused("UnableToReplayMessages: Replay is only allowed for private channels"));
            return;
        }
        access.begin(() -> then(project.listen(), listening -> enter(), failure -> refuse(unreachable())));
    }

    private static JoinRefused unreachable() {
        return new JoinRefused("RealtimeRestarting: Realtime is restarting, please standby");
    }

    private void enter() {
        joined = true;
        session.project().enter(this);
        changes.subscribe(() -> {
            session.send(
                    joinRef(),
                    request.ref(),
                    topic(),
                    "phx_reply",
                    "{\"status\":\"ok\",\"response\":{\"postgres_changes\":" + config.echo() + "}}");
            presence.begin();
            replay();
        });
    }

    private void replay() {
        config.replay()
                .filter(range -> access.readable().broadcast())
                .ifPresent(range -> then(
                        services()
                                .policies()
                                .replay(session.project().tenant(), room.topic(), range.since(), range.limit()),
                        earlier -> earlier.forEach(message -> send(message.frame(session.serializer()))),
                        failure -> system("system", "error", "UnableToReplayMessages: " + failure.getMessage())));
    }

    void take(ClientMessage message) {
        if (closed) {
            return;
        }
        if (!(message instanceof ClientMessage.Event event)) {
            ClientMessage.UserBroadcast sent = (ClientMessage.UserBroadcast) message;
            broadcasts.send(sent, sent.event(), sent.binary(), sent.payload());
            return;
        }
        switch (event.event()) {
            case "phx_leave" -> {
                stop();
                session.replyOk(event);
                closedByServer();
            }
            case "access_token" -> JoinConfig.token(event.payload()).ifPresent(this::refresh);
            case "broadcast" -> broadcasts.take(event);
            case "presence" -> {
                if (allowed(event)) {
                    presence.take(event, access.writable());
                }
            }
            default -> session.replyError(event, "Unknown event: " + event.event());
        }
    }

    /** Counts a message of the client; one too many ends the channel. */
    boolean allowed(ClientMessage message) {
        if (!joined) {
            session.replyError(message, "The channel is not joined yet");
            return false;
        }
        if (!session.project().takeMessage()) {
            fail("Too many messages per second");
            return false;
        }
        return true;
    }

    private void refresh(String fresh) {
        if (joined) {
            access.refresh(fresh, changes::authorize);
        }
    }

    /** Called every few seconds. */
    void checkExpiry() {
        if (joined) {
            access.checkExpiry();
        }
    }

    void deliver(Outgoing message) {
        if (isOpen() && message.sender() != number && access.readable().broadcast()) {
            send(message.frame(session.serializer()));
        }
    }

    /** @param frames of the serializers, filled in by the first member that needs one */
    void presenceChanged(String diff, Frame[] frames) {
        if (isOpen() && presence.isOn() && access.readable().presence()) {
            int index = session.serializer().ordinal();
            Frame frame = frames[index];
            if (frame == null) {
                frame = Frame.text(session.serializer().encode(null, null, topic(), "presence_diff", diff));
                frames[index] = frame;
            }
            send(frame);
        }
    }

    private void send(Frame frame) {
        if (frame != null) {
            session.connection().send(frame);
        }
    }

    /** A message of the server about the channel. */
    void system(String extension, String status, String message) {
        session.send(
                null,
                null,
                topic(),
                "system",
                "{\"extension\":" + RawJson.quote(extension) + ",\"status\":" + RawJson.quote(status) + ",\"message\":"
                        + RawJson.quote(message) + ",\"channel\":" + RawJson.quote(room.topic()) + "}");
    }

    /** Ends the channel and says why. */
    void fail(String message) {
        if (!closed) {
            system("system", "error", message);
            close();
        }
    }

    /** Ends the channel. */
    void close() {
        if (!closed) {
            stop();
            closedByServer();
        }
    }

    private void closedByServer() {
        session.send(joinRef(), joinRef(), topic(), "phx_close", "{}");
    }

    /** Ends the channel without a word. */
    void stop() {
        if (closed) {
            return;
        }
        closed = true;
        session.remove(this);
        changes.close();
        if (joined) {
            presence.close();
            session.project().leave(this);
        }
    }

    private void refuse(Throwable failure) {
        stop();
        session.replyError(request, failure.getMessage());
    }

    ChannelServices services() {
        return session.project().services();
    }

    /** The same for a step without which the join is refused. */
    <T> void then(Future<T> step, Consumer<T> next) {
        then(step, next, this::refuse);
    }

    /** Goes on when a step is complete, on the event loop, unless the channel is closed by then. */
    <T> void then(Future<T> step, Consumer<T> next, Consumer<Throwable> failed) {
        step.onComplete(end -> session.connection().run(() -> {
            if (!closed) {
                if (end.succeeded()) {
                    next.accept(end.result());
                } else {
                    failed.accept(end.cause());
                }
            }
        }));
    }
}
