package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.MalformedLogException;
import svc.postgres.replication.WalStream;

/**
 * Passes on what a stream of the log has, until the stream ends or Redis refuses a message. A position is confirmed when
 * Redis has everything before it: the next reader begins there, so changes come twice at times and listeners drop what
 * they had. A transaction that comes in blocks while it runs is passed on at its commit, from what was kept of it.
 */
final class WalForwarder implements Runnable {
    private static final Logger LOG = Logger.getLogger(WalForwarder.class);

    private static final Duration YIELD = Duration.ofMillis(20);

    /** For Redis, to accept what was read before a stream failed. */
    private static final Duration LAST_WORD = Duration.ofSeconds(5);

    private final WalStream stream;
    private final VisibleCommits visible;
    private final ReaderMetrics metrics;

    private final InFlight inFlight = new InFlight(this::stop);
    private final OpenBatches batches;
    private final Confirmations confirmations;
    private final ChangeForwarder forwarder;
    private final UnfinishedTransactions unfinished;
    private boolean inTransaction;

    /**
     * Why the stream is to end in order: another one should begin before the next transaction; the rest of the transaction at
     * hand is left unread; or one has committed that came in blocks and is not here whole.
     */
    private enum End {
        REPLACED,
        PASS,
        READ_WHOLE
    }

    private Optional<End> end = Optional.empty();
    private final HeldUp heldUp;
    private volatile Optional<Unreadable> unreadable = Optional.empty();
    private volatile boolean wholeWanted;
    private volatile boolean done;
    private volatile boolean stopped;
    private volatile boolean replaced;
    private volatile boolean yielding;
    private volatile boolean ended;

    /**
     * @param completeSince where the slot was made, when this process has made it; else 0
     * @param delayed runs when a transaction has become so large that others wait for it
     */
    WalForwarder(
            OpenStream source, long completeSince, Deliveries deliveries, ReaderMetrics metrics, Runnable delayed) {
        LogRecipients recipients = deliveries.recipients();
        this.stream = source.stream();
        this.visible = source.visible();
        this.metrics = metrics;
        this.heldUp = new HeldUp(delayed);
        this.batches = new OpenBatches(completeSince, deliveries, inFlight, metrics, System::nanoTime);
        this.confirmations = new Confirmations(source, batches, inFlight, () -> stopped);
        this.forwarder = new ChangeForwarder(source, deliveries, metrics, batches, confirmations::flush);
        this.unfinished = new UnfinishedTransactions(recipients.tables(), recipients.unfinished());
    }

    @Override
    public void run() {
        try (stream;
                visible;
                unfinished) {
            while (!stopped && !isOver()) {
                if (yielding) {
                    confirmations.flush();
                    stream.report();
                    Thread.sleep(YIELD);
                    continue;
                }
                Optional<ByteBuffer> pending = stream.pending();
                if (pending.isEmpty() || batches.haveWaited()) {
                    confirmations.flush();
                }
                read(pending.orElseGet(stream::next));
            }
            if (!stopped) {
                finish();
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
        }
    }

    private boolean isOver() {
        if (end.isEmpty() && !inTransaction && !unfinished.isInBlock() && (replaced || forwarder.isFull())) {
            end = Optional.of(End.REPLACED);
        }
        return end.isPresent();
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
            if (unfinished.isInBlock()) {
                // Where its transaction commits is not known yet: by that it would be passed.
                wholeWanted = true;
                return;
            }
            LogMessage.Begin transaction = forwarder.transaction();
            unreadable = Optional.of(new Unreadable(
                    inTransaction ? transaction.commitPosition() : accepted(),
                    transaction.commitMicros(),
                    inTransaction ? forwarder.concerned() : Set.of(),
                    String.valueOf(failure.getMessage())));
        }
    }

    /** Passes on what was read before the stream failed: the next one begins behind it. */
    private boolean isSettled() {
        try {
            confirmations.publish();
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
        return confirmations.accepted();
    }

    /** Projects of transactions that have not been read to their end, and are so large that others wait for them. Any thread. */
    Set<UUID> delaying() {
        return heldUp.projects();
    }

    /** Whether it leaves the processors to another stream for now: PostgreSQL stops to send when nothing is read. Any thread. */
    void yielding(boolean now) {
        yielding = now;
    }

    /** The position of the log that the server has sent last. Any thread. */
    long received() {
        return stream.received();
    }

    /** Where the stream ended that cannot be read further. Any thread, when it has ended. */
    Optional<Unreadable> unreadable() {
        return unreadable;
    }

    /** Whether the next stream should have each transaction whole. Any thread, when it has ended. */
    boolean isWholeWanted() {
        return wholeWanted;
    }

    boolean isEnded() {
        return ended;
    }

    /** Lets it end in order before the next transaction that it reads, so that another stream begins. Any thread. */
    void replace() {
        replaced = true;
    }

    /** Any thread; what was read and not confirmed comes again with the next stream. */
    void stop() {
        stopped = true;
        stream.close();
    }

    private void read(ByteBuffer message) throws InterruptedException {
        byte kind = message.get(message.position());
        if (unfinished.isInBlock() && kind != 'E') {
            unfinished.add(message);
            heldUp.row(unfinished::delaying);
            return;
        }
        switch (kind) {
            case 'R' -> forwarder.describe(message);
            case 'I', 'U', 'D' -> {
                forwarder.change(message, message.remaining());
                heldUp.row(forwarder::delaying);
                if (forwarder.isWorthPassing()) {
                    end = Optional.of(End.PASS);
                }
            }
            case 'B' -> {
                forwarder.begin((LogMessage.Begin) LogDecoder.decode(message));
                inTransaction = true;
            }
            case 'C' -> readUntil(((LogMessage.Commit) LogDecoder.decode(message)).end());
            case 'S', 'E', 'c', 'A' -> readBlocks(LogDecoder.decode(message));
            default -> LogDecoder.decode(message);
        }
    }

    private void readBlocks(LogMessage message) throws InterruptedException {
        switch (message) {
            case LogMessage.StreamStart start -> {
                // A block is long: what has committed before should not wait for its end.
                confirmations.flush();
                unfinished.begin(start);
            }
            case LogMessage.StreamStop stop -> {
                unfinished.end();
                // What committed before has been read, and the transaction commits later: its log must not look like a
                // lag.
                readUntil(stream.received());
            }
            case LogMessage.StreamAbort abort -> {
                unfinished.abort(abort);
                heldUp.ended(unfinished::delaying);
            }
            case LogMessage.StreamCommit commit -> {
                try (UnfinishedTransaction transaction = unfinished.commit(commit.transaction())) {
                    commit(commit, transaction);
                }
            }
            default -> throw new MalformedLogException("no message of a block");
        }
    }

    /** Passes on what came in blocks. */
    private void commit(LogMessage.StreamCommit commit, UnfinishedTransaction transaction) throws InterruptedException {
        if (transaction.isIncomplete()) {
            end = Optional.of(End.READ_WHOLE);
            wholeWanted = true;
            return;
        }
        inTransaction = true;
        forwarder.begin(new LogMessage.Begin(commit.commitPosition(), commit.commitMicros(), commit.transaction()));
        for (var kept = transaction.kept().iterator(); !stopped && kept.hasNext(); ) {
            forwarder.add(kept.next());
        }
        if (!stopped) {
            readUntil(commit.end());
        }
    }

    private void readUntil(long position) throws InterruptedException {
        inTransaction = false;
        heldUp.ended(unfinished::delaying);
        confirmations.readUntil(position);
    }

    /** Ends in order: the next stream begins behind what was passed on. */
    private void finish() throws InterruptedException {
        confirmations.flush();
        confirmations.awaitAll();
        if (stopped) {
            return;
        }
        if (end.get() == End.PASS) {
            // The first byte behind the beginning of its commit record: PostgreSQL does not send what committed before.
            confirmations.pass(forwarder.transaction().commitPosition() + 1);
        }
        stream.report();
    }
}
