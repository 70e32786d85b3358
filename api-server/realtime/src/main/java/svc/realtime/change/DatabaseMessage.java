package svc.realtime.change;

import io.vertx.core.buffer.Buffer;
import java.util.UUID;

/**
 * A committed row of {@code realtime.messages} that a function of the database inserted to be broadcast.
 *
 * @param topic without the prefix {@code realtime:}
 * @param payload JSON text in UTF-8, or raw bytes
 */
public record DatabaseMessage(UUID id, String topic, String event, boolean isPrivate, boolean binary, Buffer payload) {}
