package svc.functions.log;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * One line that a function or its runtime has logged.
 *
 * @param id position in its function's log, increasing; empty before it is stored
 * @param time by the clock of the function's machine
 * @param event the source: {@code log} is the function's own code, the others are the runtime
 * @param requestId the request that it was logged for
 */
public record LogLine(String id, Instant time, Level level, Event event, Optional<String> requestId, String message) {
    /** Maximum length of a message, in characters; the rest is cut off. */
    public static final int MAX_MESSAGE_LENGTH = 8_192;

    private static final int MAX_REQUEST_ID_LENGTH = 128;

    /** Severity. */
    public enum Level {
        INFO,
        WARN,
        ERROR
    }

    /** The source and subject of a line. Only {@link #LOG} comes from the function's own code. */
    public enum Event {
        LOG,
        BOOT,
        REQUEST,
        ERROR,
        SHUTDOWN
    }

    public LogLine {
        requireNonNull(time, "time is null");
        requireNonNull(level, "level is null");
        requireNonNull(event, "event is null");
        message = cut(message, MAX_MESSAGE_LENGTH);
        requestId = requestId.map(id0 -> cut(id0, MAX_REQUEST_ID_LENGTH));
    }

    /** A line that is not stored yet. */
    public LogLine(Instant time, Level level, Event event, Optional<String> requestId, String message) {
        this("", time, level, event, requestId, message);
    }

    /** Never splits a surrogate pair. */
    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest);
    }
}
