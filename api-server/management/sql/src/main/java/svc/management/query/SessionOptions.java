package svc.management.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.postgres.script.CopyPeer;
import svc.sqlgate.ClientStatement;

/**
 * Options of a client that keeps a connection, for the session in which its statement runs.
 *
 * @param settings starting values that the server has accepted before, by the names that it gives them
 * @param formats of the rows of a single statement, as a Bind message has them; none for text
 * @param open to this text beside the statements of every script
 * @param copy the client's end of a COPY; without one it is refused
 * @param names that results have for the project's schemas and roles
 */
record SessionOptions(
        Map<String, String> settings,
        List<Integer> formats,
        Set<ClientStatement> open,
        Optional<CopyPeer> copy,
        ResultNames names) {
    /** How results call schemas and roles. */
    enum ResultNames {
        /** As the database does. */
        REAL,
        /** As the caller does. */
        FAMILIAR
    }

    /** Of a caller without a connection. */
    static final SessionOptions NONE =
            new SessionOptions(Map.of(), List.of(), Set.of(), Optional.empty(), ResultNames.REAL);

    SessionOptions {
        settings = Map.copyOf(settings);
        formats = List.copyOf(formats);
        open = Set.copyOf(open);
    }
}
