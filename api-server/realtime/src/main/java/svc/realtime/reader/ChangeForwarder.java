package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.OversizedChange;
import svc.realtime.reader.DescribedTables.Described;

/**
 * Passes on the transaction at hand: its changes into the batches of their projects, up to the limit of a transaction, and its
 * messages to their recipient. Holds no transaction whole. Used by the reading thread.
 */
final class ChangeForwarder {
    private static final Logger LOG = Logger.getLogger(ChangeForwarder.class);

    /** Positions of the log have far fewer than the other 44 bits. */
    private static final int SEEN_SHIFT = 20;

    private final Deliveries deliveries;
    private final VisibleCommits visible;
    private final ReaderMetrics metrics;
    private final LongSupplier kept;
    private final OpenBatches batches;
    private final Flush flush;

    private final DescribedTables described;
    private final TransactionVolume volume = new TransactionVolume();

    /** Those that the transaction has described or changed a table of. */
    private final Set<UUID> concerned = new HashSet<>();

    private LogMessage.Begin transaction = new LogMessage.Begin(0, 0, 0);
    private int index;

    /** Publishes what is open, and waits until Redis has place for more. */
    interface Flush {
        void flush() throws InterruptedException;
    }

    ChangeForwarder(OpenStream source, Deliveries deliveries, ReaderMetrics metrics, OpenBatches batches, Flush flush) {
        this.visible = source.visible();
        this.kept = source.kept();
        this.deliveries = deliveries;
        this.metrics = metrics;
        this.batches = batches;
        this.flush = flush;
        this.described = new DescribedTables(deliveries.recipients().tables());
    }

    /** What is passed on from now on is of this transaction, which has committed. */
    void begin(LogMessage.Begin begun) {
        transaction = begun;
        concerned.clear();
        volume.begin();
        index = 0;
    }

    LogMessage.Begin transaction() {
        return transaction;
    }

    /** Projects that the transaction has described or changed a table of. */
    Set<UUID> concerned() {
        return concerned;
    }

    /** Whether tables have been described of so many bytes that another stream should begin. */
    boolean isFull() {
        return described.isFull();
    }

    void describe(ByteBuffer message) {
        described.describe(message, seen()).target().ifPresent(target -> concerned.add(target.projectId()));
    }

    /** Differs between descriptions, also of one transaction, which may change a table and go on writing to it. */
    private long seen() {
        return (transaction.commitPosition() << SEEN_SHIFT) + index;
    }

    /** A message that was kept until the transaction committed. */
    void add(UnfinishedTransaction.Kept kept) throws InterruptedException {
        if (kept.isDescription()) {
            describe(kept.message());
        } else {
            change(kept.message(), kept.length());
        }
    }

    /** @param length that PostgreSQL has sent; the change is shorter when long values were left out already */
    void change(ByteBuffer change, int length) throws InterruptedException {
        Described table = described.table(change.getInt(change.position() + 1));
        if (table.target().isEmpty()) {
            return;
        }
        // Changes of projects alone count: transactions that come in blocks have no others.
        index++;
        var position = new LogPosition(transaction.commitPosition(), index);
        UUID project = table.target().get().projectId();
        concerned.add(project);
        volume.add(length);
        boolean message = table.target().get().messages();
        if ((!message || volume.isTooLarge()) && deliveries.has(project, position)) {
            passOver(project, position);
            return;
        }
        if (volume.isTooLarge()) {
            leaveOut(project);
            return;
        }
        if (message) {
            deliveries.handed().hand(position, project, table.relation(), change);
            return;
        }
        visible.read(transaction.transaction());
        boolean large = length > OversizedChange.MAX_BYTES;
        ByteBuffer bytes = large ? OversizedChange.shorten(change) : change;
        BatchWriter batch = batches.of(project);
        batch.add(table.shape(), position, transaction.commitMicros(), large, bytes);
        if (batches.areFull(batch)) {
            flush.flush();
        }
    }

    /** Redis has it from another stream. What follows is a batch of its own: a listener that lacks the change finds out by it. */
    private void passOver(UUID project, LogPosition position) throws InterruptedException {
        if (batches.isOpen(project)) {
            flush.flush();
        }
        batches.deliveredBeside(project, position);
    }

    /** Projects whose part of the transaction is so large that others wait for it. */
    Set<UUID> delaying() {
        return volume.isDelaying() ? Set.copyOf(concerned) : Set.of();
    }

    /** The transaction is too large: its project hears so. */
    private void leaveOut(UUID project) throws InterruptedException {
        if (volume.isToBeNotified(project)) {
            batches.of(project).leaveOut(transaction.commitPosition(), transaction.commitMicros());
            flush.flush();
            metrics.passed();
            deliveries.recipients().warnings().accept(project, TransactionVolume.warning(transaction.commitMicros()));
            LOG.warnf(
                    "a transaction at %x of the log is too large, project %s: %d bytes of the log are kept",
                    transaction.commitPosition(), project, kept.getAsLong());
        }
    }

    /** Whether the rest of the transaction is better left unread: others should not wait for it. */
    boolean isWorthPassing() {
        // One of several projects is the platform's own: it is read to its end, so that each of them hears.
        return concerned.size() == 1 && volume.isWorthPassing(kept.getAsLong());
    }
}
