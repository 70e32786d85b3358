package svc.realtime.channel;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import svc.platform.dataplane.Caller;
import svc.realtime.message.Broadcast;
import svc.realtime.message.ClientMessage;
import svc.realtime.message.Frame;
import svc.realtime.message.MalformedMessage;
import svc.realtime.message.Rate;
import svc.realtime.message.RawJson;
import svc.realtime.message.Serializer;
import svc.realtime.socket.Connection;

/** One socket's conversation: heartbeats, joins, and the messages of its channels. Lives on the socket's event loop. */
final class Session implements Connection.Receiver {
    private static final String PHOENIX = "phoenix";
    private static final String REVOKED = "InvalidJWTToken: The key of this connection is not valid any more";
    private static final int POLICY_VIOLATION = 1008;
    private static final String OK = "{\"status\":\"ok\",\"response\":{}}";

    /** Messages that no channel counts: in a second, and seconds that may come at once. */
    private static final int OTHERS_PER_SECOND = 50;

    private static final int OTHERS_BURST_SECONDS = 60;

    /** A join or a token is read into a tree. */
    private static final int MAX_STRUCTURED = 64 << 10;

    private final Connection connection;
    private final Serializer serializer;
    private final ProjectChannels project;
    private final SocketCredentials credentials;
    private final Runnable end;
    private final Map<String, Channel> channels = new HashMap<>(4);
    private final Rate others = new Rate(OTHERS_BURST_SECONDS);
    private final JoinMemory memory;

    /** Whether its credentials could not be judged since the project's keys changed. */
    private boolean unverified;

    Session(
            Connection connection,
            Serializer serializer,
            ProjectChannels project,
            SocketCredentials credentials,
            Runnable end) {
        this.connection = connection;
        this.serializer = serializer;
        this.project = project;
        this.credentials = credentials;
        this.end = end;
        this.memory = new JoinMemory(project.memory());
    }

    JoinMemory memory() {
        return memory;
    }

    Connection connection() {
        return connection;
    }

    Serializer serializer() {
        return serializer;
    }

    ProjectChannels project() {
        return project;
    }

    Caller caller() {
        return credentials.caller();
    }

    @Override
    public void text(String message) throws MalformedMessage {
        take(serializer.text(message));
    }

    @Override
    public void binary(Buffer message) throws MalformedMessage {
        take(Serializer.binary(message));
    }

    @Override
    public void ended() {
        List.copyOf(channels.values()).forEach(Channel::stop);
        end.run();
    }

    /** @param joinRef may be null, as may {@code ref} */
    void send(String joinRef, String ref, String topic, String event, String payload) {
        connection.send(Frame.text(serializer.encode(joinRef, ref, topic, event, payload)));
    }

    void replyOk(ClientMessage to) {
        send(to.joinRef(), to.ref(), to.topic(), "phx_reply", OK);
    }

    void replyError(ClientMessage to, String reason) {
        send(
                to.joinRef(),
                to.ref(),
                to.topic(),
                "phx_reply",
                "{\"status\":\"error\",\"response\":{\"reason\":" + RawJson.quote(reason) + "}}");
    }

    /** The channel has stopped. */
    void remove(Channel channel) {
        channels.remove(channel.topic(), channel);
    }

    /** Ends what has expired: called every few seconds. */
    void check() {
        if (unverified) {
            verify();
        }
        List.copyOf(channels.values()).forEach(Channel::check);
    }

    /** The project's keys have changed: ends what was opened with one that is not valid any more. */
    void verify() {
        unverified = true;
        project.services()
                .tokens()
                .admits(project.tenant(), credentials.texts())
                .onSuccess(admitted -> connection.run(() -> verified(admitted)));
    }

    private void verified(boolean admitted) {
        unverified = false;
        List<Channel> open = List.copyOf(channels.values());
        if (admitted) {
            open.forEach(Channel::verify);
        } else {
            open.forEach(channel -> channel.fail(REVOKED));
            connection.close(POLICY_VIOLATION, REVOKED);
        }
    }

    /** Policies on messages have changed. */
    void policiesChanged() {
        List.copyOf(channels.values()).forEach(Channel::policiesChanged);
    }

    /** The project is gone, or its service is switched off. */
    void disconnect() {
        List.copyOf(channels.values()).forEach(channel -> channel.fail("Server requested disconnect"));
        connection.close(1000, "Server requested disconnect");
    }

    private void take(ClientMessage message) {
        if (!channels.containsKey(message.topic()) && !others.take(OTHERS_PER_SECOND)) {
            connection.close(POLICY_VIOLATION, "Too many messages per second");
            return;
        }
        if (message.topic().equals(PHOENIX)) {
            if (message instanceof ClientMessage.Event event && event.event().equals("heartbeat")) {
                replyOk(message);
            } else {
                replyError(message, "unmatched topic");
            }
            return;
        }
        if (message instanceof ClientMessage.Event event && event.event().equals("phx_join")) {
            join(event);
            return;
        }
        Channel channel = channels.get(message.topic());
        if (channel == null) {
            replyError(message, "unmatched topic");
        } else if (message.joinRef() == null || message.joinRef().equals(channel.joinRef())) {
            if (tooLong(message)) {
                replyError(message, "payload_size_exceeded");
            } else {
                channel.take(message);
            }
        }
        // Otherwise it is for a channel of the topic that was joined before, and is closed.
    }

    private void join(ClientMessage.Event join) {
        Channel before = channels.get(join.topic());
        if (before != null) {
            before.close();
        }
        if (!join.topic().startsWith(Broadcast.PREFIX) || join.topic().indexOf('\0') >= 0) {
            replyError(join, "unmatched topic");
        } else if (join.topic().length() == Broadcast.PREFIX.length()) {
            replyError(join, "TopicNameRequired: You must provide a topic name");
        } else if (tooLong(join)) {
            replyError(join, "InvalidJoinPayload: the payload has more than " + MAX_STRUCTURED + " characters");
        } else if (channels.size() >= project.limits().maxChannelsPerConnection()) {
            replyError(join, "ChannelRateLimitReached: Too many channels");
        } else if (!project.takeJoin()) {
            replyError(join, "ClientJoinRateLimitReached: Too many joins per second");
            connection.close(POLICY_VIOLATION, "Too many joins per second");
        } else {
            begin(new Channel(this, join), join);
        }
    }

    private void begin(Channel channel, ClientMessage.Event join) {
        switch (memory.take(channel.weight())) {
            case JoinMemory.Outcome.Refused(String reason) -> replyError(join, reason);
            case JoinMemory.Outcome.Granted(JoinMemory.Share share) -> {
                channel.hold(share);
                channels.put(join.topic(), channel);
                channel.join();
            }
        }
    }

    private static boolean tooLong(ClientMessage message) {
        return message instanceof ClientMessage.Event event
                && !event.event().equals("broadcast")
                && !event.event().equals("presence")
                && event.payload().length() + event.topic().length() + length(event.ref()) + length(event.joinRef())
                        > MAX_STRUCTURED;
    }

    private static int length(String ref) {
        return ref == null ? 0 : ref.length();
    }

    /** The channels at this moment. */
    List<Channel> channels() {
        return new ArrayList<>(channels.values());
    }
}
