package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.OversizedChange;
import svc.postgres.replication.UnfinishedMessage;
import svc.realtime.reader.ProjectTables.Target;

/**
 * What PostgreSQL has sent of one transaction that has not ended: descriptions of tables, and the changes of projects' tables
 * up to the limit of a transaction. What it keeps is charged to the projects. Used by the reading thread.
 */
final class UnfinishedTransaction implements AutoCloseable {
    /** Of the memory for all unfinished transactions. */
    private static final Limit PROJECT_LIMIT = new Limit.Fixed(32L << 20);

    /** Of a message besides its bytes. */
    private static final int ENTRY_BYTES = 100;

    private static final UUID NO_PROJECT = new UUID(0, 0);

    private final ProjectTables projects;
    private final Budget memory;
    private final TransactionVolume volume = new TransactionVolume();

    /** As this transaction has described them last; empty for a table of no project. */
    private final Map<Integer, Optional<Target>> tables = new HashMap<>();

    /** Those whose rows it has changed. */
    private final Set<UUID> concerned = new HashSet<>(1);

    private final Map<UUID, Permit> permits = new HashMap<>();
    private final List<Kept> kept = new ArrayList<>();

    /** Where the messages of each part begin. Those of a part that fails are the last ones. */
    private final Map<Integer, Integer> parts = new HashMap<>();

    private boolean leftOut;
    private boolean incomplete;

    UnfinishedTransaction(ProjectTables projects, Budget memory) {
        this.projects = projects;
        this.memory = memory;
    }

    /**
     * A message that is kept.
     *
     * @param part the transaction, or the part behind a savepoint, that it belongs to
     * @param length that PostgreSQL has sent; the bytes are fewer where long values are left out
     */
    record Kept(UUID project, int part, byte[] bytes, int length) {
        boolean isDescription() {
            return bytes[0] == 'R';
        }

        ByteBuffer message() {
            return ByteBuffer.wrap(bytes);
        }

        private long size() {
            return bytes.length + (long) ENTRY_BYTES;
        }
    }

    /** Keeps a message, unless it concerns no project or is beyond the limit. */
    void add(UnfinishedMessage added) {
        if (incomplete) {
            return;
        }
        ByteBuffer message = added.message();
        switch (message.get(0)) {
            case 'R' -> describe(added);
            case 'I', 'U', 'D' ->
                tables.getOrDefault(message.getInt(1), Optional.empty()).ifPresent(table -> change(added, table));
            default -> {}
        }
    }

    private void describe(UnfinishedMessage added) {
        var relation = (LogMessage.Relation) LogDecoder.decode(added.message().duplicate());
        Optional<Target> target = projects.target(relation.schema(), relation.table());
        tables.put(relation.oid(), target);
        // Also that of a table of no project: PostgreSQL does not describe it again.
        keep(target.map(Target::projectId).orElse(NO_PROJECT), added.transaction(), added.message(), 0);
    }

    private void change(UnfinishedMessage added, Target table) {
        ByteBuffer message = added.message();
        int length = message.remaining();
        concerned.add(table.projectId());
        volume.add(length);
        if (volume.isTooLarge() && !volume.isToBeNotified(table.projectId())) {
            leftOut = true;
            return;
        }
        // The first change of a project beyond the limit stays: by it the others are found to be left out.
        leftOut |= volume.isTooLarge();
        boolean shortened = length > OversizedChange.MAX_BYTES && !table.messages();
        keep(
                table.projectId(),
                added.transaction(),
                shortened || volume.isTooLarge() ? OversizedChange.shorten(message) : message,
                length);
    }

    private void keep(UUID project, int part, ByteBuffer message, int length) {
        byte[] bytes = new byte[message.remaining()];
        message.duplicate().get(bytes);
        var entry = new Kept(project, part, bytes, length);
        Permit permit = permits.computeIfAbsent(
                project, id -> memory.whole().part(id.toString(), PROJECT_LIMIT).open());
        if (permit.grow(entry.size()) != Verdict.GRANTED) {
            giveUp();
            return;
        }
        parts.putIfAbsent(part, kept.size());
        kept.add(entry);
    }

    /** What is kept would not be what the transaction has changed. */
    private void giveUp() {
        incomplete = true;
        close();
    }

    /** A part has failed: its changes are gone. */
    void abort(int part) {
        if (leftOut) {
            // Which of those that were left out are gone is not known.
            giveUp();
        }
        int first = parts.getOrDefault(part, kept.size());
        while (kept.size() > first) {
            Kept last = kept.removeLast();
            permits.get(last.project()).shrink(last.size());
            if (!last.isDescription()) {
                volume.remove(last.length());
            }
            if (parts.getOrDefault(last.part(), -1) == kept.size()) {
                parts.remove(last.part());
            }
        }
    }

    /** Projects of a transaction so large that others wait for it; as long as it has not ended. */
    Set<UUID> delaying() {
        return volume.isDelaying() ? Set.copyOf(concerned) : Set.of();
    }

    /** Whether the transaction must be read again, whole. */
    boolean isIncomplete() {
        return incomplete;
    }

    /** In the order of the transaction. */
    List<Kept> kept() {
        return kept;
    }

    /** Gives back what it holds. */
    @Override
    public void close() {
        permits.values().forEach(Permit::close);
        permits.clear();
        kept.clear();
        parts.clear();
        tables.clear();
    }
}
