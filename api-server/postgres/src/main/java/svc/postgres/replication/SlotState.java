package svc.postgres.replication;

/**
 * A replication slot and the log of its server, at one moment. Positions are bytes of the log.
 *
 * @param active whether some connection reads it
 * @param lost whether the server has removed log that the slot still needs
 * @param confirmed everything before has been confirmed by a reader
 * @param logPosition what commits after this moment stands at this position or later
 * @param keptBytes log that the server keeps for the slot
 * @param limitBytes {@code max_slot_wal_keep_size}; -1 for no limit
 */
public record SlotState(
        boolean found,
        boolean active,
        boolean lost,
        long confirmed,
        long logPosition,
        long keptBytes,
        long limitBytes) {
    /** Log behind what a reader has confirmed. */
    public long unconfirmedBytes() {
        return found ? Math.max(0, logPosition - confirmed) : 0;
    }
}
