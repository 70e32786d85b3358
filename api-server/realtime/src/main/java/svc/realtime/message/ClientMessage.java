package svc.realtime.message;

import io.vertx.core.buffer.Buffer;

/** What a client sends in one frame. */
public sealed interface ClientMessage {
    /** Identifies the join that the channel began with; may be null. */
    String joinRef();

    /** Identifies the message in its reply; may be null. */
    String ref();

    /** With the prefix {@code realtime:}, or {@code phoenix}. */
    String topic();

    /**
     * An event.
     *
     * @param payload JSON text
     */
    record Event(String joinRef, String ref, String topic, String event, String payload) implements ClientMessage {}

    /**
     * A broadcast in a binary frame (kind 3).
     *
     * @param event the user's own
     * @param binary whether the payload is raw bytes instead of JSON
     */
    record UserBroadcast(String joinRef, String ref, String topic, String event, boolean binary, Buffer payload)
            implements ClientMessage {}
}
