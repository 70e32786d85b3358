package svc.realtime.reader;

import java.util.UUID;

/**
 * What one stream of a log passes on, and to which recipients.
 *
 * @param beside how far streams beside that of the slot have delivered
 * @param isBeside whether this is one of these
 */
record Deliveries(LogRecipients recipients, HandedMessages handed, DeliveredBeside beside, boolean isBeside) {
    /** Redis has the project's changes up to this one. */
    void accepted(UUID project, LogPosition position) {
        if (isBeside) {
            beside.accepted(project, position);
        }
    }

    /** Whether Redis has it from another stream. */
    boolean has(UUID project, LogPosition position) {
        return beside.has(project, position);
    }
}
