package svc.functions.log;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * One line that a function or its runtime has logged.
 *
 * @param id where it stands in its function's log; of this log alone, and growing. Empty before it is kept
 * @param time when it was written, by the clock of the function's machine
 * @param event who speaks: {@code log} is the function itself, the others are the runtime
 * @param requestId the request that it was written for
 */
public record LogLine(String id, Instant time, Level level, Event event, Optional<String> requestId, String message) {
    /** Longest message that is kept, in characters; the rest of a longer one is cut off. */
    public static final int MAX_MESSAGE_LENGTH = 8_192;

    private static final int MAX_REQUEST_ID_LENGTH = 128;

    /** How much a line matters. */
    public enum Level {
        INFO,
        WARN,
        ERROR
    }

    /** Who speaks, and of what. Only {@link #LOG} comes from the function's own code. */
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

    /** A line that is not kept yet. */
    public LogLine(Instant time, Level level, Event event, Optional<String> requestId, String message) {
        this("", time, level, event, requestId, message);
    }

    /** Never between the two halves of one character. */
    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest);
    }
}
