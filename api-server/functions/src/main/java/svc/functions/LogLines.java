package svc.functions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.functions.log.LogLine;
import svc.platform.json.ForeignJson;

/** Parses log lines of a runtime: one JSON object per line. Pure. */
final class LogLines {
    /** Per request. */
    static final int MAX_LINES = 1_000;

    private static final ObjectMapper JSON = ForeignJson.mapper();

    private LogLines() {}

    /** The result of parsing. */
    sealed interface Result {}

    record Read(List<LogLine> lines) implements Result {}

    /** @param why names the line */
    record Unreadable(String why) implements Result {}

    static Result read(String text) {
        List<LogLine> lines = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            if (lines.size() == MAX_LINES) {
                return new Unreadable("more than " + MAX_LINES + " lines in one request");
            }
            Optional<LogLine> read = line(line);
            if (read.isEmpty()) {
                return new Unreadable("line " + number
                        + " is not a JSON object with time, level (info, warn, error), event (log, boot, request,"
                        + " error, shutdown) and message");
            }
            lines.add(read.get());
        }
        return new Read(lines);
    }

    private static Optional<LogLine> line(String text) {
        try {
            JsonNode line = JSON.readTree(text);
            if (line == null || !line.isObject() || !line.path("message").isTextual()) {
                return Optional.empty();
            }
            String requestId = line.path("request_id").asText("");
            return Optional.of(new LogLine(
                    Instant.parse(line.path("time").asText()),
                    LogLine.Level.valueOf(line.path("level").asText().toUpperCase(Locale.ROOT)),
                    LogLine.Event.valueOf(line.path("event").asText().toUpperCase(Locale.ROOT)),
                    requestId.isEmpty() || line.path("request_id").isNull() ? Optional.empty() : Optional.of(requestId),
                    line.path("message").asText()));
        } catch (JsonProcessingException | DateTimeParseException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
