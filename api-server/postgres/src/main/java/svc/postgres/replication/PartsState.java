package svc.postgres.replication;

/**
 * Whether the publications of a shared database's parts have all that {@code svc_realtime} has, at one moment.
 *
 * @param oldestTransaction the oldest that runs, of the whole server
 * @param nextTransaction the next that begins
 * @param logPosition what commits after this moment stands at this position of the log or later
 */
public record PartsState(boolean complete, long oldestTransaction, long nextTransaction, long logPosition) {
    static final PartsState NONE = new PartsState(false, 0, 0, 0);
}
