package svc.realtime.channel;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import svc.platform.memory.ByteBudget;
import svc.realtime.message.Broadcast;
import svc.realtime.message.ClientMessage;
import svc.realtime.message.MalformedMessage;
import svc.realtime.message.RawJson;
import svc.realtime.policy.ChannelPolicies.Extension;

/** What a channel's client sends to its room. */
final class ChannelBroadcasts {
    private static final int MAX_MEMBERS = 32;

    private final Channel channel;
    private final JoinConfig config;

    ChannelBroadcasts(Channel channel, JoinConfig config) {
        this.channel = channel;
        this.config = config;
    }

    /** A broadcast in a text frame: {@code {"type","event","payload"}}. */
    void take(ClientMessage.Event event) {
        try {
            Map<String, String> members = RawJson.members(event.payload(), MAX_MEMBERS);
            String name = RawJson.string(members.get("event")).orElse("");
            send(event, name, false, Buffer.buffer(members.getOrDefault("payload", "{}")));
        } catch (MalformedMessage e) {
            session().replyError(event, "Invalid broadcast payload: " + e.getMessage());
        }
    }

    /** @param event the user's own */
    void send(ClientMessage message, String event, boolean binary, Buffer payload) {
        if (!channel.allowed(message)) {
            return;
        }
        if (payload.length() > session().project().limits().maxPayloadKB() << 10) {
            if (config.ack()) {
                session().replyError(message, "payload_size_exceeded");
            }
            return;
        }
        var broadcast = new Broadcast(
                channel.room().topic(),
                channel.room().isPrivate(),
                event,
                binary,
                "",
                payload,
                config.self() ? 0 : channel.number());
        Future<Boolean> allowed = channel.access().writable().to(Extension.BROADCAST);
        if (!allowed.isComplete() && !held(payload.length(), allowed)) {
            session()
                    .replyError(
                            message,
                            "ProjectMemoryLimitReached: The memory of the project is in use, send again later");
            return;
        }
        channel.then(
                allowed,
                may -> {
                    if (may) {
                        publish(message, broadcast);
                    } else if (config.ack()) {
                        session()
                                .replyError(
                                        message,
                                        "Unauthorized: You do not have permissions to write to this Channel topic: "
                                                + broadcast.topic());
                    }
                },
                failure -> session().replyError(message, failure.getMessage()));
    }

    /** What waits for a policy is the project's memory; false when there is none. */
    private boolean held(int bytes, Future<Boolean> until) {
        ByteBudget.Permit permit = session().project().memory().open();
        if (permit.grow(bytes) != ByteBudget.Verdict.GRANTED) {
            permit.close();
            return false;
        }
        until.onComplete(answered -> permit.close());
        return true;
    }

    private void publish(ClientMessage message, Broadcast broadcast) {
        Future<Void> sent = session().project().publish(broadcast);
        if (config.ack()) {
            channel.then(
                    sent,
                    done -> session().replyOk(message),
                    lost -> session().replyError(message, "The message reached the members at this server only"));
        }
    }

    private Session session() {
        return channel.session();
    }
}
