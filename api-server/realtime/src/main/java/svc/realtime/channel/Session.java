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
    private static final String OK = "{\"status\":\"ok\",\"response\":{}}";

    /** Messages that no channel counts: in a second, and seconds that may come at once. */
    private static final int OTHERS_PER_SECOND = 50;

    private static final int OTHERS_BURST_SECONDS = 60;

    /** A join or a token is read into a tree. */
    private static final int MAX_STRUCTURED = 64 << 10;

    private final Connection connection;
    private final Serializer serializer;
    private final ProjectChannels project;
    private final Caller caller;
    private final Runnable end;
    private final Map<String, Channel> channels = new HashMap<>(4);
    private final Rate others = new Rate(OTHERS_BURST_SECONDS);

    /** @param caller by the credentials of the handshake */
    Session(Connection connection, Serializer serializer, ProjectChannels project, Caller caller, Runnable end) {
        this.connection = connection;
        this.serializer = serializer;
        this.project = project;
        this.caller = caller;
        this.end = end;
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
        return caller;
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
        List.copyOf(channels.values()).forEach(Channel::checkExpiry);
    }

    /** The project is gone, or its service is switched off. */
    void disconnect() {
        List.copyOf(channels.values()).forEach(channel -> channel.fail("Server requested disconnect"));
        connection.close(1000, "Server requested disconnect");
    }

    private void take(ClientMessage message) {
        if (!channels.containsKey(message.topic()) && !others.take(OTHERS_PER_SECOND)) {
            connection.close(1008, "Too many messages per second");
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
            connection.close(1008, "Too many joins per second");
        } else {
            Channel channel = new Channel(this, join);
            channels.put(join.topic(), channel);
            channel.join();
        }
    }

    private static boolean tooLong(ClientMessage message) {
        return message instanceof ClientMessage.Event event
                && !event.event().equals("broadcast")
                && !event.event().equals("presence")
                && event.payload().length() + event.topic().length() > MAX_STRUCTURED;
    }

    /** The channels at this moment. */
    List<Channel> channels() {
        return new ArrayList<>(channels.values());
    }
}
