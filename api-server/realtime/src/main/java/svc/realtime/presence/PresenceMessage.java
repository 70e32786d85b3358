package svc.realtime.presence;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import svc.realtime.message.RoomKey;

/**
 * What processes tell each other of their presences. Each numbers its changes, so that the others notice a lost one.
 *
 * @param process that the message is from
 * @param number of its last change
 * @param target for {@link Kind#ASK} the process that is asked, 0 for all; otherwise the channel that left
 * @param presences with {@link Kind#TRACK} one, with {@link Kind#STATE} all of the process
 */
record PresenceMessage(Kind kind, long process, long number, long target, List<Presence> presences) {
    private static final int HEAD = 1 + 3 * Long.BYTES + Integer.BYTES;

    enum Kind {
        TRACK,
        UNTRACK,
        /** Still here, with so many changes. */
        BEAT,
        ASK,
        STATE
    }

    Buffer encode() {
        Buffer message = Buffer.buffer()
                .appendByte((byte) kind.ordinal())
                .appendLong(process)
                .appendLong(number)
                .appendLong(target)
                .appendInt(presences.size());
        for (Presence presence : presences) {
            message.appendByte((byte) (presence.room().isPrivate() ? 1 : 0)).appendLong(presence.channel());
            append(message, presence.room().topic());
            append(message, presence.key());
            append(message, presence.ref());
            append(message, presence.previous());
            append(message, presence.meta());
        }
        return message;
    }

    static PresenceMessage decode(Buffer message) {
        int count = message.getInt(HEAD - Integer.BYTES);
        List<Presence> presences = new ArrayList<>(Math.min(count, 1024));
        var at = new Cursor(message);
        for (int index = 0; index < count; index++) {
            boolean isPrivate = message.getByte(at.position++) == 1;
            long channel = message.getLong(at.position);
            at.position += Long.BYTES;
            String topic = at.text();
            presences.add(
                    new Presence(new RoomKey(topic, isPrivate), channel, at.text(), at.text(), at.text(), at.text()));
        }
        return new PresenceMessage(
                Kind.values()[message.getByte(0)],
                message.getLong(1),
                message.getLong(1 + Long.BYTES),
                message.getLong(1 + 2 * Long.BYTES),
                presences);
    }

    private static void append(Buffer message, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        message.appendInt(bytes.length).appendBytes(bytes);
    }

    private static final class Cursor {
        private final Buffer message;
        private int position = HEAD;

        Cursor(Buffer message) {
            this.message = message;
        }

        String text() {
            int length = message.getInt(position);
            position += Integer.BYTES + length;
            return message.getString(position - length, position);
        }
    }
}
