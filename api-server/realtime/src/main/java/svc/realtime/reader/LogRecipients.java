package svc.realtime.reader;

import java.util.UUID;
import java.util.function.BiConsumer;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.DatabaseMessages;

/**
 * Where what is read from a database's log goes.
 *
 * @param tables which project a table belongs to
 * @param bus takes the changes of tables
 * @param messages takes the messages of databases
 * @param warnings takes what a project should read in its log
 */
public record LogRecipients(
        ProjectTables tables, ProjectBus bus, DatabaseMessages messages, BiConsumer<UUID, String> warnings) {}
