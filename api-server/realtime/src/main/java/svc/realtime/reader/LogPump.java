package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.LogStream;
import svc.postgres.replication.MalformedLogException;
import svc.postgres.replication.OversizedChange;
import svc.realtime.bus.ProjectBus.Kind;
import svc.realtime.reader.DescribedTables.Described;

/**
 * Passes on what a stream of the log has, until the stream ends or Redis refuses a message. A position is confirmed when
 * Redis has everything before it: the next reader begins there, so changes come twice at times and listeners drop what
 * they had. Holds no transaction whole.
 */
final class LogPump implements Runnable {
    private static final Logger LOG = Logger.getLogger(LogPump.class);

    /** Changes that arrive together travel together, up to this size. */
    private static final int BATCH_BYTES = 64 << 10;

    /** Positions of the log have far fewer than the other 44 bits. */
    private static final int SEEN_SHIFT = 20;

    private static final int MAX_OPEN_BATCHES = 256;

    private static final Duration REPORT = Duration.ofSeconds(1);

    /** A stream that never pauses is confirmed so often. */
    private static final long CONFIRM_NANOS = Duration.ofSeconds(1).toNanos();

    /** For Redis, to accept what was read before a stream failed. */
    private static final Duration LAST_WORD = Duration.ofSeconds(5);

    /** Classes of errors that another attempt may not meet: connection, shutdown, resources, the slot itself. */
    private static final Set<String> PASSING = Set.of("08", "28", "53", "55", "57", "58");

    private static final String OUT_OF_MEMORY = "53200";

    /** A message is sent on whole; the limit of broadcasts is that of the projects. */
    private static final int MAX_MESSAGE_BYTES = 8 << 20;

    private final LogStream stream;
    private final VisibleCommits visible;
    private final long completeSince;
    private final LogRecipients recipients;
    private final HandedMessages handed;
    private final ReaderMetrics metrics;

    private final DescribedTables described;
    private final Map<UUID, BatchWriter> open = new LinkedHashMap<>();
    private final Map<UUID, LogPosition> published = new HashMap<>();
    private final InFlight inFlight = new InFlight(this::stop);
    private LogMessage.Begin transaction = new LogMessage.Begin(0, 0, 0);
    private boolean inTransaction;

    /** Those that the transaction has described or changed a table of. */
    private final Set<UUID> concerned = new HashSet<>();

    private int index;
    private long confirmable;
    private long confirming;
    private long confirmedAt = System.nanoTime();
    private volatile long accepted;
    private volatile Optional<Unreadable> unreadable = Optional.empty();
    private volatile boolean full;
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
        this.completeSince = completeSince;
        this.recipients = recipients;
        this.described = new DescribedTables(recipients.tables());
        this.handed = handed;
        this.metrics = metrics;
    }

    /** @param visible tells when what the stream has is visible to other sessions */
    record LogSource(LogStream stream, VisibleCommits visible) {}

    @Override
    public void run() {
        metrics.reading(true);
        try (stream;
                visible) {
            while (!stopped && (inTransaction || !described.isFull())) {
                Optional<ByteBuffer> pending = stream.pending();
                if (pending.isEmpty()) {
                    flush();
                    pending = Optional.of(stream.next());
                }
                read(pending.get());
            }
            if (stopped) {
                failed(new IllegalStateException("it was stopped"));
            } else {
                flush();
                full = true;
            }
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
        if (refused.isEmpty() && !isPassing(failure) && isSettled()) {
            unreadable = Optional.of(new Unreadable(
                    inTransaction ? transaction.commitPosition() : accepted,
                    transaction.commitMicros(),
                    inTransaction ? concerned : Set.of(),
                    String.valueOf(failure.getMessage())));
        }
    }

    private static boolean isPassing(RuntimeException failure) {
        return failure instanceof SqlError error
                && PASSING.contains(error.sqlState().substring(0, 2))
                && !error.is(OUT_OF_MEMORY);
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

    /** Whether it has ended in order because its tables took too much memory. Any thread. */
    boolean isFull() {
        return full;
    }

    /** Everything before this byte of the log has been accepted by Redis; 0 when nothing has. Any thread. */
    long accepted() {
        return accepted;
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
        if (table.target().get().messages()) {
            message(project, table.relation(), position, message);
            return;
        }
        visible.read(transaction.transaction());
        boolean large = message.remaining() > OversizedChange.MAX_BYTES;
        ByteBuffer bytes = large ? OversizedChange.shorten(message) : message;
        BatchWriter batch = open.computeIfAbsent(
                project, id -> new BatchWriter(id, completeSince, Optional.ofNullable(published.get(id))));
        batch.add(table.shape(), position, transaction.commitMicros(), large, bytes);
        if (batch.bytes() >= BATCH_BYTES) {
            visible.await();
            publish(batch);
            awaitRedis();
        } else if (open.size() >= MAX_OPEN_BATCHES) {
            flush();
        }
    }

    private void message(UUID project, LogMessage.Relation relation, LogPosition position, ByteBuffer bytes) {
        if (bytes.remaining() <= MAX_MESSAGE_BYTES
                && LogDecoder.decode(bytes) instanceof LogMessage.Insert insert
                && handed.isNew(position)) {
            LoggedMessages.of(relation, insert).ifPresent(message -> {
                metrics.message();
                recipients.messages().committed(project, message);
            });
        }
    }

    private void flush() throws InterruptedException {
        publishOpen();
        awaitRedis();
    }

    /** Publishes what is open, and confirms what was read when Redis has it. What fails stays open, and is not confirmed. */
    private void publishOpen() {
        visible.await();
        List.copyOf(open.values()).forEach(this::publish);
        confirmedAt = System.nanoTime();
        if (confirmable > confirming) {
            long position = confirmable;
            confirming = position;
            inFlight.whenAccepted(() -> {
                accepted = Math.max(accepted, position);
                stream.confirm(position);
            });
        }
    }

    private void publish(BatchWriter batch) {
        metrics.decoded(batch.changes());
        published.put(batch.projectId(), batch.last());
        inFlight.add(batch.bytes(), recipients.bus().publish(batch.projectId(), Kind.CHANGES, batch.message()));
        open.remove(batch.projectId());
    }

    /** Slows down to what Redis takes; the server must hear from its reader meanwhile. */
    private void awaitRedis() throws InterruptedException {
        while (!stopped && !inFlight.hasPlace(REPORT)) {
            stream.report();
        }
    }
}
