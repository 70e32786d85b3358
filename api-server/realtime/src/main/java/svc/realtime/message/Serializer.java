package svc.realtime.message;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;

/** How messages stand in frames: the parameter {@code vsn} of the address. */
public enum Serializer {
    /** A JSON object in a text frame. */
    V1 {
        @Override
        public ClientMessage text(String frame) throws MalformedMessage {
            Map<String, String> members = RawJson.members(frame, MAX_MEMBERS);
            return event(
                    members.get("join_ref"),
                    members.get("ref"),
                    members.get("topic"),
                    members.get("event"),
                    members.get("payload"));
        }

        @Override
        public String encode(String joinRef, String ref, String topic, String event, String payload) {
            StringBuilder text = new StringBuilder(payload.length() + topic.length() + OVERHEAD);
            text.append("{\"ref\":").append(RawJson.quote(ref));
            text.append(",\"topic\":").append(RawJson.quote(topic));
            text.append(",\"event\":").append(RawJson.quote(event));
            text.append(",\"payload\":").append(payload);
            return text.append(",\"join_ref\":")
                    .append(RawJson.quote(joinRef))
                    .append('}')
                    .toString();
        }
    },

    /** A JSON array in a text frame; broadcasts in binary frames. */
    V2 {
        @Override
        public ClientMessage text(String frame) throws MalformedMessage {
            String[] elements = RawJson.elements(frame, 5);
            return event(elements[0], elements[1], elements[2], elements[3], elements[4]);
        }

        @Override
        public String encode(String joinRef, String ref, String topic, String event, String payload) {
            StringBuilder text = new StringBuilder(payload.length() + topic.length() + OVERHEAD);
            text.append('[').append(RawJson.quote(joinRef));
            text.append(',').append(RawJson.quote(ref));
            text.append(',').append(RawJson.quote(topic));
            text.append(',').append(RawJson.quote(event));
            return text.append(',').append(payload).append(']').toString();
        }
    };

    private static final int OVERHEAD = 96;
    private static final int MAX_MEMBERS = 16;
    private static final int USER_BROADCAST_PUSH = 3;
    private static final int HEAD_BYTES = 7;

    /** By the parameter {@code vsn}; absent means 1.0.0, as Phoenix has it. */
    public static Optional<Serializer> of(Optional<String> vsn) {
        return switch (vsn.orElse("1.0.0")) {
            case "1.0.0" -> Optional.of(V1);
            case "2.0.0" -> Optional.of(V2);
            default -> Optional.empty();
        };
    }

    /** A message of a text frame. */
    public abstract ClientMessage text(String frame) throws MalformedMessage;

    /**
     * The text frame of a message to the client.
     *
     * @param joinRef may be null, as may {@code ref}
     * @param payload JSON text
     */
    public abstract String encode(String joinRef, String ref, String topic, String event, String payload);

    /** A message of a binary frame. */
    public static ClientMessage binary(Buffer frame) throws MalformedMessage {
        if (frame.length() < HEAD_BYTES || frame.getByte(0) != USER_BROADCAST_PUSH) {
            throw new MalformedMessage("a binary frame of another kind");
        }
        int[] lengths = new int[5];
        int end = HEAD_BYTES;
        for (int index = 0; index < lengths.length; index++) {
            lengths[index] = frame.getUnsignedByte(1 + index);
            end += lengths[index];
        }
        int encoding = frame.getUnsignedByte(6);
        if (frame.length() < end || encoding > 1) {
            throw new MalformedMessage("a binary frame that is cut");
        }
        String[] texts = new String[lengths.length];
        int at = HEAD_BYTES;
        for (int index = 0; index < lengths.length; index++) {
            texts[index] = RawJson.text(frame.slice(at, at + lengths[index]));
            at += lengths[index];
        }
        Buffer payload = frame.slice(at, frame.length());
        if (encoding == 1) {
            RawJson.require(payload);
        }
        return new ClientMessage.UserBroadcast(
                emptyToNull(texts[0]), emptyToNull(texts[1]), texts[2], texts[3], encoding == 0, payload);
    }

    private static String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static ClientMessage event(String joinRef, String ref, String topic, String event, String payload)
            throws MalformedMessage {
        String named = RawJson.string(topic).orElseThrow(() -> new MalformedMessage("no topic"));
        String what = RawJson.string(event).orElseThrow(() -> new MalformedMessage("no event"));
        return new ClientMessage.Event(
                RawJson.string(joinRef).orElse(null),
                RawJson.string(ref).orElse(null),
                named,
                what,
                payload == null ? "{}" : payload);
    }
}
