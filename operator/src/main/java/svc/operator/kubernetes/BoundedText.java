package svc.operator.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.List;
import svc.crds.condition.Condition;

/**
 * Limits on texts that the operator writes, of which users and other controllers choose parts. The API refuses a status that
 * is too long as a whole, and everything that watches resources keeps it in memory. Pure.
 */
public final class BoundedText {
    /** Of the message of a condition, in UTF-8. */
    public static final int MAX_MESSAGE_BYTES = 4_096;

    /** Of the message of an Event, as Kubernetes limits the note of one. */
    public static final int MAX_EVENT_BYTES = 1_024;

    private static final String ELLIPSIS = "…";
    private static final int MAX_BYTES_PER_CHAR = 3;

    private BoundedText() {}

    /** The conditions with messages of at most {@link #MAX_MESSAGE_BYTES}. */
    public static List<Condition> messages(List<Condition> conditions) {
        return conditions.stream().map(BoundedText::message).toList();
    }

    /** The text, or as many whole characters of its start as fit with an ellipsis. */
    public static String atMost(int maxBytes, String text) {
        if (text.length() * MAX_BYTES_PER_CHAR <= maxBytes
                || text.getBytes(StandardCharsets.UTF_8).length <= maxBytes) {
            return text;
        }
        int room = maxBytes - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
        int end = 0;
        while (end < text.length()) {
            int codePoint = text.codePointAt(end);
            room -= bytes(codePoint);
            if (room < 0) {
                break;
            }
            end += Character.charCount(codePoint);
        }
        return text.substring(0, end) + ELLIPSIS;
    }

    private static int bytes(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }

    private static Condition message(Condition condition) {
        String bounded = atMost(MAX_MESSAGE_BYTES, condition.message());
        return bounded.equals(condition.message())
                ? condition
                : new Condition(
                        condition.type(),
                        condition.status(),
                        condition.observedGeneration(),
                        condition.lastTransitionTime(),
                        condition.reason(),
                        bounded);
    }
}
