package svc.realtime.channel;

import java.util.Map;
import java.util.UUID;
import svc.realtime.message.ClientMessage;
import svc.realtime.message.MalformedMessage;
import svc.realtime.message.RawJson;
import svc.realtime.policy.ChannelPolicies.Extension;
import svc.realtime.presence.ProjectPresence;

/** The presence of a channel: what it tracks, and whether it hears of others'. */
final class ChannelPresence {
    private static final int MAX_CALLS = 5;
    private static final long CALLS_NANOS = 30_000_000_000L;
    private static final int MAX_MEMBERS = 32;

    /** Each change of a presence goes to all members of its room, so it is short, whatever a broadcast may be. */
    private static final int MAX_META = 16 << 10;

    private final Channel channel;
    private final JoinConfig config;
    private String key;
    private boolean on;
    private boolean tracked;
    private int calls;
    private long since;

    ChannelPresence(Channel channel, JoinConfig config) {
        this.channel = channel;
        this.config = config;
    }

    boolean isOn() {
        return on;
    }

    /** After the reply to the join. */
    void begin() {
        if (config.presence()) {
            turnOn();
        }
    }

    private void turnOn() {
        if (on) {
            return;
        }
        ProjectPresence presence = presence();
        channel.then(presence.listen(), listening -> sendState(presence), failure -> sendState(presence));
    }

    /** Within the lock of the presences, so that the differences that follow are to this state. */
    private void sendState(ProjectPresence presence) {
        presence.state(channel.room(), state -> {
            on = true;
            if (channel.access().readable().presence()) {
                channel.session().send(null, null, channel.topic(), "presence_state", state);
            }
        });
    }

    void take(ClientMessage.Event message, WriteAccess access) {
        if (tooMany()) {
            channel.fail("Client presence rate limit exceeded");
            return;
        }
        if (!channel.session().project().takePresence()) {
            channel.fail("Too many presence messages per second");
            return;
        }
        String event;
        String meta;
        try {
            Map<String, String> members = RawJson.members(message.payload(), MAX_MEMBERS);
            event = RawJson.string(members.get("event")).orElse("");
            meta = members.getOrDefault("payload", "{}");
        } catch (MalformedMessage e) {
            channel.session().replyError(message, "Invalid presence payload: " + e.getMessage());
            return;
        }
        switch (event) {
            case "track" -> track(message, meta, access);
            case "untrack" -> {
                close();
                channel.session().replyOk(message);
            }
            default -> channel.session().replyError(message, "Unknown presence event: " + event);
        }
    }

    private void track(ClientMessage.Event message, String meta, WriteAccess access) {
        int keys = channel.session().project().limits().maxPresenceKeys();
        if (!RawJson.isObject(meta)) {
            channel.session().replyError(message, "Presence track payload must be a map");
        } else if (meta.length()
                > Math.min(MAX_META, channel.session().project().limits().maxPayloadKB() << 10)) {
            channel.session().replyError(message, "payload_size_exceeded: a presence has at most 16 KB");
        } else if (!hasAtMost(meta, keys)) {
            channel.session().replyError(message, "Presence track payload must have at most " + keys + " keys");
        } else {
            channel.then(
                    access.to(Extension.PRESENCE),
                    may -> {
                        if (may) {
                            track(message, meta);
                        }
                    },
                    failure -> channel.session().replyError(message, failure.getMessage()));
        }
    }

    private void track(ClientMessage.Event message, String meta) {
        if (!channel.session().project().takePresenceBytes(channel.room(), 2 * meta.length())) {
            channel.session()
                    .replyError(message, "Too many long presences per second, track again later or a shorter one");
            return;
        }
        turnOn();
        switch (presence().track(channel.room(), channel.number(), key(), meta)) {
            case TRACKED -> {
                tracked = true;
                channel.session().replyOk(message);
            }
            case NO_MEMORY -> channel.session().replyError(message, "The project's memory for presences is in use");
            case ROOM_FULL ->
                channel.session()
                        .replyError(
                                message,
                                "The presences of a topic have at most " + (ProjectPresence.MAX_ROOM_BYTES >> 10)
                                        + " KB, track a shorter one or on another topic");
        }
    }

    /** Tracks nothing any more. */
    void close() {
        if (tracked) {
            tracked = false;
            presence().untrack(channel.room(), channel.number());
        }
    }

    private String key() {
        if (key == null) {
            key = config.presenceKey().isEmpty() ? UUID.randomUUID().toString() : config.presenceKey();
        }
        return key;
    }

    private boolean tooMany() {
        long now = System.nanoTime();
        if (calls == 0 || now - since > CALLS_NANOS) {
            calls = 0;
            since = now;
        }
        return ++calls > MAX_CALLS;
    }

    private static boolean hasAtMost(String meta, int keys) {
        try {
            RawJson.members(meta, keys);
            return true;
        } catch (MalformedMessage e) {
            return false;
        }
    }

    private ProjectPresence presence() {
        return channel.session().project().presence();
    }
}
