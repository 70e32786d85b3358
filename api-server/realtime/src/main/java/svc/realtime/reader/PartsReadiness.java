package svc.realtime.reader;

import svc.postgres.replication.PartsState;

/**
 * Whether a stream of the parts of a shared database has every change that the slot's stream has. It has from the moment on at
 * which the last transaction has ended that began before the parts were complete: an older one may have written to a table
 * while it was in one of the publications alone. Pure.
 */
final class PartsReadiness {
    private static final long UNKNOWN = Long.MIN_VALUE;

    private long first = UNKNOWN;
    private long since = UNKNOWN;

    /** Takes the state of a later moment. */
    void see(PartsState state) {
        if (!state.complete()) {
            first = UNKNOWN;
            since = UNKNOWN;
        } else if (first == UNKNOWN) {
            first = state.nextTransaction();
        } else if (since == UNKNOWN && state.oldestTransaction() >= first) {
            since = state.logPosition();
        }
    }

    boolean isKnown() {
        return since != UNKNOWN;
    }

    /** @param confirmed where a stream would begin */
    boolean isReadyFrom(long confirmed) {
        return isKnown() && confirmed >= since;
    }
}
