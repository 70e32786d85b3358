package svc.realtime.message;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * A broadcast on its way to the members of a room.
 *
 * @param topic without the prefix {@code realtime:}
 * @param event the user's own
 * @param binary whether the payload is raw bytes, which members with vsn 1.0.0 cannot receive
 * @param meta JSON text, or empty
 * @param payload JSON in UTF-8, or raw bytes; never written to
 * @param sender the channel that does not receive it; 0 for none
 * @param byRequest whether a request sent it, and no channel or database
 */
public record Broadcast(
        String topic,
        boolean isPrivate,
        String event,
        boolean binary,
        String meta,
        Buffer payload,
        long sender,
        boolean byRequest) {
    /** Of topics, as channels name them. */
    public static final String PREFIX = "realtime:";

    private static final String EVENT = "broadcast";
    private static final int USER_BROADCAST = 4;
    private static final int MAX_LENGTH = 255;
    private static final int PRIVATE = 1;
    private static final int BINARY = 2;
    private static final int BY_REQUEST = 4;

    /** Of a channel or a database. */
    public Broadcast(
            String topic, boolean isPrivate, String event, boolean binary, String meta, Buffer payload, long sender) {
        this(topic, isPrivate, event, binary, meta, payload, sender, false);
    }

    /** For other processes, as what a request sends. */
    public Buffer toBusByRequest() {
        return new Broadcast(topic, isPrivate, event, binary, meta, payload, sender, true).toBus();
    }

    /** For other processes. */
    public Buffer toBus() {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        byte[] what = event.getBytes(StandardCharsets.UTF_8);
        byte[] about = meta.getBytes(StandardCharsets.UTF_8);
        return Buffer.buffer(name.length + what.length + about.length + payload.length() + 32)
                .appendByte((byte) ((isPrivate ? PRIVATE : 0) | (binary ? BINARY : 0) | (byRequest ? BY_REQUEST : 0)))
                .appendLong(sender)
                .appendInt(name.length)
                .appendBytes(name)
                .appendInt(what.length)
                .appendBytes(what)
                .appendInt(about.length)
                .appendBytes(about)
                .appendBuffer(payload);
    }

    /** What {@link #toBus} wrote. */
    public static Broadcast fromBus(Buffer message) {
        int flags = message.getByte(0);
        int at = 1 + Long.BYTES;
        String[] texts = new String[3];
        for (int index = 0; index < texts.length; index++) {
            int length = message.getInt(at);
            at += Integer.BYTES;
            texts[index] = message.getString(at, at + length);
            at += length;
        }
        return new Broadcast(
                texts[0],
                (flags & PRIVATE) != 0,
                texts[1],
                (flags & BINARY) != 0,
                texts[2],
                message.slice(at, message.length()),
                message.getLong(1),
                (flags & BY_REQUEST) != 0);
    }

    /** The same for a channel that joined after it was sent. */
    public Broadcast replayed(String about) {
        return new Broadcast(topic, isPrivate, event, binary, about, payload, 0);
    }

    /** The frame for members with this serializer; null where there is none. */
    public Frame frame(Serializer serializer) {
        if (serializer == Serializer.V2) {
            byte[] name = (PREFIX + topic).getBytes(StandardCharsets.UTF_8);
            byte[] what = event.getBytes(StandardCharsets.UTF_8);
            byte[] about = meta.getBytes(StandardCharsets.UTF_8);
            if (name.length <= MAX_LENGTH && what.length <= MAX_LENGTH && about.length <= MAX_LENGTH) {
                return Frame.binary(Buffer.buffer(6 + name.length + what.length + about.length + payload.length())
                        .appendByte((byte) USER_BROADCAST)
                        .appendByte((byte) name.length)
                        .appendByte((byte) what.length)
                        .appendByte((byte) about.length)
                        .appendByte((byte) (binary ? 0 : 1))
                        .appendBytes(name)
                        .appendBytes(what)
                        .appendBytes(about)
                        .appendBuffer(payload)
                        .getBytes());
            }
        }
        if (binary) {
            return null;
        }
        return Frame.text(serializer.encode(null, null, PREFIX + topic, EVENT, json()));
    }

    private String json() {
        String text = payload.toString(StandardCharsets.UTF_8);
        StringBuilder json = new StringBuilder(text.length() + event.length() + 64);
        json.append("{\"type\":\"broadcast\",\"event\":").append(RawJson.quote(event));
        json.append(",\"payload\":").append(text);
        if (!meta.isEmpty()) {
            json.append(",\"meta\":").append(meta);
        }
        return json.append('}').toString();
    }
}
