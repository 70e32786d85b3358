package svc.realtime.reader;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.LogMessage.Value;
import svc.realtime.change.DatabaseMessage;

/** Reads a row of {@code realtime.messages} as the message that it is. Pure. */
final class LoggedMessages {
    private static final String HEX = "\\x";

    private LoggedMessages() {}

    /** Empty for a row that is no broadcast, or not whole: tenants may insert what they like. */
    static Optional<DatabaseMessage> of(LogMessage.Relation messages, LogMessage.Insert insert) {
        Map<String, String> row = row(messages.columns(), insert.row().values());
        String topic = row.get("topic");
        String event = row.get("event");
        if (topic == null
                || event == null
                || !row.getOrDefault("extension", "broadcast").equals("broadcast")) {
            return Optional.empty();
        }
        boolean isPrivate = !"f".equals(row.get("private"));
        String binary = row.get("binary_payload");
        String payload = row.get("payload");
        try {
            UUID id = UUID.fromString(row.getOrDefault("id", ""));
            if (binary != null && binary.startsWith(HEX)) {
                byte[] bytes = HexFormat.of().parseHex(binary, HEX.length(), binary.length());
                return Optional.of(new DatabaseMessage(id, topic, event, isPrivate, true, Buffer.buffer(bytes)));
            }
            return payload == null
                    ? Optional.empty()
                    : Optional.of(new DatabaseMessage(
                            id,
                            topic,
                            event,
                            isPrivate,
                            false,
                            Buffer.buffer(payload.getBytes(StandardCharsets.UTF_8))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> row(List<LogMessage.Column> columns, List<Value> values) {
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < Math.min(columns.size(), values.size()); i++) {
            if (values.get(i) instanceof Value.Text text) {
                row.put(columns.get(i).name(), text.text());
            }
        }
        return row;
    }
}
