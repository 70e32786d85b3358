package svc.realtime.channel;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private final List<JoinMemory.Share> memory = new ArrayList<>(2);
    private boolean joined;
    private boolean closed;

    Channel(Session session, ClientMessage.Event join) {
        this.session = session;
        // Not the payload, which may be long.
        this.request = new ClientMessage.Event(join.joinRef(), join.ref(), join.topic(), join.event(), "{}");
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

    /** The memory that it takes as long as it is open, in bytes. */
    long weight() {
        return config.weight()
                + 4L * request.topic().length()
                + 2L * Objects.requireNonNullElse(request.ref(), "").length()
                + 2L * Objects.requireNonNullElse(request.joinRef(), "").length();
    }

    /** Holds memory until it is closed. */
    void hold(JoinMemory.Share share) {
        if (closed) {
            share.close();
        } else {
            memory.add(share);
        }
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
            new ChannelHistory(this, config).begin();
        });
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
        if (!joined || access.isKnown(fresh)) {
            return;
        }
        switch (session.memory().take(JoinConfig.weightOfToken(fresh))) {
            case JoinMemory.Outcome.Refused(String reason) -> fail(reason);
            case JoinMemory.Outcome.Granted(JoinMemory.Share share) -> {
                // That of the token before, if it was not the join's.
                while (memory.size() > 1) {
                    memory.removeLast().close();
                }
                hold(share);
                access.refresh(fresh, changes::authorize);
            }
        }
    }

    /** The project's keys have changed. */
    void verify() {
        if (joined) {
            access.verify();
        }
    }

    /** Policies have changed: asks again, in turn with the project's other channels. */
    void policiesChanged() {
        if (isOpen() && room.isPrivate()) {
            session.project().rechecks().add(() -> {
                Promise<Void> asked = Promise.promise();
                session.connection()
                        .run(() -> (isOpen() ? access.recheck() : Future.<Void>succeededFuture()).onComplete(asked));
                return asked.future();
            });
        }
    }

    /** Called every few seconds. */
    void check() {
        if (joined) {
            access.check();
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

    void send(Frame frame) {
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
        memory.forEach(JoinMemory.Share::close);
        memory.clear();
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
