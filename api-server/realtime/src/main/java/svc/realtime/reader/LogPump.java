package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.LogStream;
import svc.postgres.replication.MalformedLogException;
import svc.postgres.replication.OversizedChange;
import svc.realtime.reader.DescribedTables.Described;

/**
 * Passes on what a stream of the log has, until the stream ends or Redis refuses a message. A position is confirmed when
 * Redis has everything before it: the next reader begins there, so changes come twice at times and listeners drop what
 * they had. Holds no transaction whole.
 */
final class LogPump implements Runnable {
    private static final Logger LOG = Logger.getLogger(LogPump.class);

    /** Positions of the log have far fewer than the other 44 bits. */
    private static final int SEEN_SHIFT = 20;

    private static final Duration REPORT = Duration.ofSeconds(1);

    /** A stream that never pauses is confirmed so often. */
    private static final long CONFIRM_NANOS = Duration.ofSeconds(1).toNanos();

    /** For Redis, to accept what was read before a stream failed. */
    private static final Duration LAST_WORD = Duration.ofSeconds(5);

    private final LogStream stream;
    private final VisibleCommits visible;
    private final LongSupplier kept;
    private final LogRecipients recipients;
    private final HandedMessages handed;
    private final ReaderMetrics metrics;

    private final DescribedTables described;
    private final InFlight inFlight = new InFlight(this::stop);
    private final OpenBatches batches;
    private LogMessage.Begin transaction = new LogMessage.Begin(0, 0, 0);
    private boolean inTransaction;

    /** Those that the transaction has described or changed a table of. */
    private final Set<UUID> concerned = new HashSet<>();

    private final TransactionVolume volume = new TransactionVolume();

    /** Whether the rest of the transaction is left unread. */
    private boolean leaving;

    private int index;
    private long confirmable;
    private long confirming;
    private long confirmedAt = System.nanoTime();
    private final AtomicLong accepted = new AtomicLong();
    private volatile Optional<Unreadable> unreadable = Optional.empty();
    private volatile boolean done;
    private volatile boolean stopped;
    private volatile boolean ended;

    /** @param completeSince where the slot was made, when this process has made it; else 0 */
    LogPump(
            LogSource source,
            long completeSince,
            LogRecipients recipients,
            HandedMessages handed,
            ReaderMetrics metrics) {
        this.stream = source.stream();
        this.visible = source.visible();
        this.kept = source.kept();
        this.recipients = recipients;
        this.described = new DescribedTables(recipients.tables());
        this.batches = new OpenBatches(completeSince, recipients, inFlight, metrics);
        this.handed = handed;
        this.metrics = metrics;
    }

    /**
     * @param visible tells when what the stream has is visible to other sessions
     * @param kept log that the server keeps for the slot, in bytes: about what another stream reads before it sends something
     */
    record LogSource(LogStream stream, VisibleCommits visible, LongSupplier kept) {}

    @Override
    public void run() {
        metrics.reading(true);
        try (stream;
                visible) {
            while (!stopped && !leaving && (inTransaction || !described.isFull())) {
                Optional<ByteBuffer> pending = stream.pending();
                if (pending.isEmpty()) {
                    flush();
                    pending = Optional.of(stream.next());
                }
                read(pending.get());
            }
            if (leaving) {
                pass();
            } else if (!stopped) {
                flush();
            }
            if (stopped) {
                failed(new IllegalStateException("it was stopped"));
            }
            done = !stopped;
        } catch (SqlError | MalformedLogException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("reading a database's log has failed", e);
            failed(e);
        } finally {
            ended = true;
            metrics.reading(false);
        }
    }

    private void failed(RuntimeException failure) {
        Optional<Throwable> refused = inFlight.refused();
        if (stopped && refused.isEmpty()) {
            return;
        }
        metrics.restarted();
        LOG.warnf(
                "reading a database's log is interrupted: %s",
                refused.orElse(failure).getMessage());
        if (refused.isEmpty() && !ReadFailures.isPassing(failure) && isSettled()) {
            unreadable = Optional.of(new Unreadable(
                    inTransaction ? transaction.commitPosition() : accepted.get(),
                    transaction.commitMicros(),
                    inTransaction ? concerned : Set.of(),
                    String.valueOf(failure.getMessage())));
        }
    }

    /** Passes on what was read before the stream failed: the next one begins behind it. */
    private boolean isSettled() {
        try {
            publishOpen();
            return inFlight.isAccepted(LAST_WORD);
        } catch (SqlError e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether it has ended in order, so that another stream begins at once. Any thread. */
    boolean isDone() {
        return done;
    }

    /** Everything before this byte of the log has been accepted by Redis; 0 when nothing has. Any thread. */
    long accepted() {
        return accepted.get();
    }

    /** Where the stream ended that cannot be read further. Any thread, when it has ended. */
    Optional<Unreadable> unreadable() {
        return unreadable;
    }

    boolean isEnded() {
        return ended;
    }

    /** Any thread; what was read and not confirmed comes again with the next stream. */
    void stop() {
        stopped = true;
        stream.close();
    }

    private void read(ByteBuffer message) throws InterruptedException {
        switch (message.get(message.position())) {
            case 'R' -> describe(message);
            case 'I', 'U', 'D' -> change(message);
            case 'B' -> {
                transaction = (LogMessage.Begin) LogDecoder.decode(message);
                inTransaction = true;
                concerned.clear();
                volume.begin();
                index = 0;
            }
            case 'C' -> {
                confirmable = ((LogMessage.Commit) LogDecoder.decode(message)).end();
                inTransaction = false;
                if (System.nanoTime() - confirmedAt > CONFIRM_NANOS) {
                    flush();
                }
            }
            default -> LogDecoder.decode(message);
        }
    }

    private void describe(ByteBuffer message) {
        described.describe(message, seen()).target().ifPresent(target -> concerned.add(target.projectId()));
    }

    /** Differs between descriptions, also of one transaction, which may change a table and go on writing to it. */
    private long seen() {
        return (transaction.commitPosition() << SEEN_SHIFT) + index;
    }

    private void change(ByteBuffer message) throws InterruptedException {
        Described table = described.table(message.getInt(message.position() + 1));
        index++;
        if (table.target().isEmpty()) {
            return;
        }
        var position = new LogPosition(transaction.commitPosition(), index);
        UUID project = table.target().get().projectId();
        concerned.add(project);
        volume.add(message.remaining());
        if (volume.isTooLarge()) {
            leaveOut(project);
            return;
        }
        if (table.target().get().messages()) {
            handed.hand(position, project, table.relation(), message);
            return;
        }
        visible.read(transaction.transaction());
        boolean large = message.remaining() > OversizedChange.MAX_BYTES;
        ByteBuffer bytes = large ? OversizedChange.shorten(message) : message;
        BatchWriter batch = batches.of(project);
        batch.add(table.shape(), position, transaction.commitMicros(), large, bytes);
        if (batches.areFull(batch)) {
            flush();
        }
    }

    /** The transaction is too large: its project hears so, and the others should not wait for the rest of it. */
    private void leaveOut(UUID project) throws InterruptedException {
        if (volume.isToBeTold(project)) {
            batches.of(project).leaveOut(transaction.commitPosition(), transaction.commitMicros());
            flush();
            metrics.passed();
            recipients.warnings().accept(project, TransactionVolume.warning(transaction.commitMicros()));
            LOG.warnf(
                    "a transaction at %x of the log is too large, project %s: %d bytes of the log are kept",
                    transaction.commitPosition(), project, kept.getAsLong());
        }
        // One of several projects is the platform's own: it is read to its end, so that each of them hears.
        leaving = concerned.size() == 1 && volume.isWorthPassing(kept.getAsLong());
    }

    /** The next stream begins behind the transaction: PostgreSQL does not send what committed before. */
    private void pass() throws InterruptedException {
        flush();
        while (!stopped && !inFlight.isAccepted(REPORT)) {
            stream.report();
        }
        if (!stopped) {
            // The first byte behind the beginning of its commit record.
            accepted.accumulateAndGet(transaction.commitPosition() + 1, Math::max);
            // For another process that begins first: without it the transaction is read up to the limit again.
            stream.confirm(accepted.get());
            stream.report();
        }
    }

    private void flush() throws InterruptedException {
        publishOpen();
        awaitRedis();
    }

    /** Publishes what is open, and confirms what was read when Redis has it. What fails stays open, and is not confirmed. */
    private void publishOpen() {
        visible.await();
        batches.publish();
        confirmedAt = System.nanoTime();
        if (confirmable > confirming) {
            long position = confirmable;
            confirming = position;
            inFlight.whenAccepted(() -> {
                accepted.accumulateAndGet(position, Math::max);
                stream.confirm(position);
            });
        }
    }

    /** Slows down to what Redis takes; the server must hear from its reader meanwhile. */
    private void awaitRedis() throws InterruptedException {
        while (!stopped && !inFlight.hasPlace(REPORT)) {
            stream.report();
        }
    }
}
