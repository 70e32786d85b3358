package svc.realtime.reader;

import java.util.UUID;
import java.util.function.BiConsumer;
import svc.platform.budget.Budget;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.DatabaseMessages;

/**
 * Where what is read from a database's log goes.
 *
 * @param tables which project a table belongs to
 * @param bus takes the changes of tables
 * @param messages takes the messages of databases
 * @param warnings takes what a project should read in its log
 * @param unfinished bytes for changes that wait here for the end of their transaction, of all databases
 */
public record LogRecipients(
        ProjectTables tables,
        ProjectBus bus,
        DatabaseMessages messages,
        BiConsumer<UUID, String> warnings,
        Budget unfinished) {
    private static final long UNFINISHED_BYTES = 64L << 20;

    /** The memory of a process for changes whose transactions have not ended. */
    public static Budget unfinishedChanges() {
        return new Budget("realtime-unfinished", UNFINISHED_BYTES);
    }
}
