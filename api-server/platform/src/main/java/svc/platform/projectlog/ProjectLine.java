package svc.platform.projectlog;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * One line of a project's log, with texts cut to their bounds. It must hold no credential, no query string and no body.
 *
 * @param micros since 1970
 * @param requestId empty for a line of no request
 * @param message empty for a request, which {@code request} describes
 * @param attributes further facts, at most {@value #MAX_ATTRIBUTES}
 */
public record ProjectLine(
        UUID projectId,
        LogSource source,
        LogSeverity severity,
        long micros,
        String requestId,
        String message,
        Optional<Request> request,
        Map<String, String> attributes) {
    /** Characters of a message; the rest is cut off. */
    public static final int MAX_MESSAGE = 8_192;

    static final int MAX_ATTRIBUTES = 8;

    private static final int MAX_ATTRIBUTE = 256;
    private static final int MAX_ID = 128;
    private static final int MAX_PATH = 512;
    private static final int MAX_AGENT = 200;
    private static final int MAX_METHOD = 16;
    private static final int MAX_STATUS = 999;

    /** The end of the year 9999. */
    private static final long MAX_SECONDS = 253_402_300_799L;

    /**
     * A request to one of the project's services.
     *
     * @param path without the query string
     * @param micros from its arrival to the end of its answer
     * @param bytes of the answer's body
     */
    public record Request(String method, String path, int status, long micros, long bytes, String userAgent) {
        public Request {
            status = Math.clamp(status, 0, MAX_STATUS);
            method = cut(method, MAX_METHOD);
            path = cut(path, MAX_PATH);
            userAgent = cut(userAgent, MAX_AGENT);
        }
    }

    public ProjectLine {
        requestId = cut(requestId, MAX_ID);
        message = cut(message, MAX_MESSAGE);
        if (attributes.size() > MAX_ATTRIBUTES) {
            throw new IllegalArgumentException("a line has " + MAX_ATTRIBUTES + " attributes at most");
        }
        attributes.values().forEach(value -> {
            if (value.length() > MAX_ATTRIBUTE) {
                throw new IllegalArgumentException("an attribute has " + MAX_ATTRIBUTE + " characters at most");
            }
        });
    }

    /** A time in microseconds since 1970; one before, or after the year 9999, is taken for the nearest between. */
    public static long micros(Instant time) {
        long seconds = Math.clamp(time.getEpochSecond(), 0, MAX_SECONDS);
        return TimeUnit.SECONDS.toMicros(seconds) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
    }

    /** The first part of a text, without half of a surrogate pair at its end. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest);
    }
}
