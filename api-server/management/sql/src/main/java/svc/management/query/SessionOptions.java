package svc.management.query;

import java.util.List;
import java.util.Map;

/**
 * Options of a client that keeps a connection, for the session in which its statement runs.
 *
 * @param settings starting values that the server has accepted before, by the names that it gives them
 * @param formats of the rows of a single statement, as a Bind message has them; none for text
 */
record SessionOptions(Map<String, String> settings, List<Integer> formats) {
    /** Of a caller without a connection. */
    static final SessionOptions NONE = new SessionOptions(Map.of(), List.of());

    SessionOptions {
        settings = Map.copyOf(settings);
        formats = List.copyOf(formats);
    }
}
