package svc.operator.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import svc.database.loop.ProjectBusyException;
import svc.database.loop.ProjectLoop;
import svc.database.loop.ProjectRunner;
import svc.database.shared.AbandonedSlots;
import svc.database.shared.RealtimePublication;
import svc.database.shared.RealtimePublication.Applied;
import svc.database.shared.RealtimePublication.Change;

/**
 * Reconciles a shared database's realtime publications with the table lists of its projects, each project by itself, drops
 * replication slots that nothing reads, and keeps the one that stands. Several operators may run it at once.
 */
final class PublicationReconciler implements ProjectLoop {
    private static final Logger LOG = Logger.getLogger(PublicationReconciler.class.getName());

    /** Maximum delay between a tenant's commit and the publication; each run costs two queries over the lists. */
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    /** Small beside the time in which a slot keeps much of the log. */
    private static final Duration SLOT_INTERVAL = Duration.ofSeconds(5);

    private final String name;
    private final DataSource database;
    private final StandingSlotKeeper slot;
    private final ProjectRunner runner;

    /** By project, as of the last look. */
    private final Map<String, List<Change>> due = new ConcurrentHashMap<>();

    /** @param name as configured, for the log */
    PublicationReconciler(String name, DataSource database, ProjectRunner runner) {
        this.name = name;
        this.database = database;
        this.slot = new StandingSlotKeeper(name, database);
        this.runner = runner;
    }

    /** Runs until the runner is closed. */
    void start() {
        runner.repeat("realtime publication", INTERVAL, this::find);
        runner.repeat("replication slots", SLOT_INTERVAL, this::keepSlots);
    }

    @Override
    public String name() {
        return "realtime publication";
    }

    private void find() {
        Map<String, List<Change>> found;
        try (Connection connection = database.getConnection()) {
            found = RealtimePublication.differences(connection).stream()
                    .collect(Collectors.groupingBy(Change::project));
        } catch (SQLException e) {
            throw new IllegalStateException("while comparing the realtime publication of database " + name, e);
        }
        due.keySet().retainAll(found.keySet());
        due.putAll(found);
        found.keySet().forEach(project -> runner.due(this, project));
    }

    @Override
    public Progress run(String project) throws SQLException, ProjectBusyException {
        List<Change> changes = due.getOrDefault(project, List.of());
        Applied applied;
        try (Connection connection = database.getConnection()) {
            applied = RealtimePublication.apply(connection, changes);
        }
        if (!applied.refused().isEmpty()) {
            throw new SQLException(applied.refused().size() + " tables cannot be published, such as by "
                    + applied.refused().getFirst());
        }
        if (applied.waiting() > 0) {
            throw new ProjectBusyException(applied.waiting() + " tables are locked by transactions of the project");
        }
        due.remove(project, changes);
        return Progress.DONE;
    }

    private void keepSlots() {
        try (Connection connection = database.getConnection()) {
            if (AbandonedSlots.drop(connection) > 0) {
                LOG.log(
                        Level.WARNING,
                        () -> "A replication slot of realtime was not read any more and kept the log of database "
                                + name + "; it was dropped");
            }
            slot.keep(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("while keeping the replication slots of database " + name, e);
        }
    }
}
