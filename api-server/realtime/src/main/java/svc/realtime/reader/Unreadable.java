package svc.realtime.reader;

import java.util.Set;
import java.util.UUID;

/**
 * Where a stream ended because it cannot be read further.
 *
 * @param commit of the transaction, in bytes of the log; what was confirmed last when it ended outside of a transaction
 * @param commitMicros since 2000-01-01 UTC
 * @param projects whose tables the transaction has described or changed; empty when that is not known
 * @param reason for the operator of the platform: PostgreSQL's text
 */
record Unreadable(long commit, long commitMicros, Set<UUID> projects, String reason) {
    Unreadable {
        projects = Set.copyOf(projects);
    }
}
