package svc.management.query;

import java.util.List;
import java.util.Map;

/**
 * What a client that keeps a connection wants of the session in which its statement runs.
 *
 * @param settings starting values that the server has accepted before, by the names that it gives them
 * @param formats of the rows of a single statement, as a Bind message has them; none for text
 */
record SessionWish(Map<String, String> settings, List<Integer> formats) {
    /** Of a caller without a connection. */
    static final SessionWish NONE = new SessionWish(Map.of(), List.of());

    SessionWish {
        settings = Map.copyOf(settings);
        formats = List.copyOf(formats);
    }
}
