package svc.realtime.reader;

import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;
import svc.postgres.replication.LogDecoder;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.LogStream;
import svc.postgres.replication.MalformedLogException;
import svc.postgres.replication.OversizedChange;
import svc.realtime.bus.ProjectBus;
import svc.realtime.bus.ProjectBus.Kind;
import svc.realtime.change.DatabaseMessages;
import svc.realtime.reader.BatchWriter.TableShape;
import svc.realtime.reader.ProjectTables.Target;

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

    /** What Redis has not accepted yet. */
    private static final long MAX_IN_FLIGHT = 8L << 20;

    private static final long REPORT_MILLIS = 1000;

    /** A message is sent on whole; the limit of broadcasts is that of the projects. */
    private static final int MAX_MESSAGE_BYTES = 8 << 20;

    private final LogStream stream;
    private final VisibleCommits visible;
    private final long completeSince;
    private final ProjectTables tables;
    private final ProjectBus bus;
    private final DatabaseMessages messages;
    private final HandedMessages handed;
    private final ReaderMetrics metrics;

    private final Map<Integer, Described> described = new HashMap<>();
    private final Map<UUID, BatchWriter> open = new LinkedHashMap<>();
    private final Map<UUID, LogPosition> published = new HashMap<>();
    private final AtomicLong inFlight = new AtomicLong();
    private Future<Void> accepted = Future.succeededFuture();
    private LogMessage.Begin transaction = new LogMessage.Begin(0, 0, 0);
    private int index;
    private long confirmable;
    private long confirming;
    private volatile boolean ended;
    private volatile Throwable refused;

    /** @param target empty for a table of no project */
    private record Described(TableShape shape, LogMessage.Relation relation, Optional<Target> target) {}

    /** The last message that was handed over in this process: reading again must not broadcast it again. */
    static final class HandedMessages {
        private LogPosition last = LogPosition.START;

        boolean isNew(LogPosition position) {
            if (!position.isAfter(last)) {
                return false;
            }
            last = position;
            return true;
        }
    }

    /** @param completeSince where the slot was made, when this process has made it; else 0 */
    LogPump(
            LogStream stream,
            VisibleCommits visible,
            long completeSince,
            ProjectTables tables,
            ProjectBus bus,
            DatabaseMessages messages,
            HandedMessages handed,
            ReaderMetrics metrics) {
        this.stream = stream;
        this.visible = visible;
        this.completeSince = completeSince;
        this.tables = tables;
        this.bus = bus;
        this.messages = messages;
        this.handed = handed;
        this.metrics = metrics;
    }

    @Override
    public void run() {
        metrics.reading(true);
        try (stream;
                visible) {
            while (!ended) {
                Optional<ByteBuffer> pending = stream.pending();
                if (pending.isEmpty()) {
                    flush();
                    pending = Optional.of(stream.next());
                }
                read(pending.get());
            }
        } catch (SqlError | MalformedLogException | InterruptedException e) {
            if (!ended || refused != null) {
                metrics.restarted();
                LOG.warnf("reading a database's log is interrupted: %s", refused != null ? refused : e.getMessage());
            }
        } catch (RuntimeException e) {
            metrics.restarted();
            LOG.error("reading a database's log has failed", e);
        } finally {
            ended = true;
            metrics.reading(false);
        }
    }

    boolean isEnded() {
        return ended;
    }

    /** Any thread; what was read and not confirmed comes again with the next stream. */
    void stop() {
        ended = true;
        stream.close();
    }

    private void read(ByteBuffer message) throws InterruptedException {
        switch (message.get(message.position())) {
            case 'R' -> describe(message);
            case 'I', 'U', 'D' -> change(message);
            case 'B' -> {
                transaction = (LogMessage.Begin) LogDecoder.decode(message);
                index = 0;
            }
            case 'C' -> confirmable = ((LogMessage.Commit) LogDecoder.decode(message)).end();
            default -> LogDecoder.decode(message);
        }
    }

    private void describe(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.duplicate().get(bytes);
        var relation = (LogMessage.Relation) LogDecoder.decode(message);
        described.put(
                relation.oid(),
                new Described(
                        new TableShape(relation.oid(), seen(), bytes),
                        relation,
                        tables.target(relation.schema(), relation.table())));
    }

    /** Differs between descriptions, also of one transaction, which may change a table and go on writing to it. */
    private long seen() {
        return (transaction.commitPosition() << SEEN_SHIFT) + index;
    }

    private void change(ByteBuffer message) throws InterruptedException {
        Described table = described.get(message.getInt(message.position() + 1));
        if (table == null) {
            throw new MalformedLogException("a change of a table that was not described");
        }
        index++;
        if (table.target().isEmpty()) {
            return;
        }
        var position = new LogPosition(transaction.commitPosition(), index);
        UUID project = table.target().get().projectId();
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
            open.remove(project);
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
                messages.committed(project, message);
            });
        }
    }

    private void flush() throws InterruptedException {
        List<BatchWriter> batches = List.copyOf(open.values());
        open.clear();
        visible.await();
        batches.forEach(this::publish);
        if (confirmable > confirming) {
            long position = confirmable;
            confirming = position;
            accepted.onSuccess(all -> stream.confirm(position));
        }
        awaitRedis();
    }

    private void publish(BatchWriter batch) {
        int bytes = batch.bytes();
        metrics.decoded(batch.changes());
        published.put(batch.projectId(), batch.last());
        inFlight.addAndGet(bytes);
        Future<Void> done = bus.publish(batch.projectId(), Kind.CHANGES, batch.message());
        accepted = accepted.isComplete() && accepted.succeeded()
                ? done
                : Future.join(accepted, done).mapEmpty();
        done.onComplete(outcome -> {
            if (outcome.failed()) {
                refused = outcome.cause();
                stop();
            }
            synchronized (inFlight) {
                inFlight.addAndGet(-bytes);
                inFlight.notifyAll();
            }
        });
    }

    /** Slows down to what Redis takes; the server must hear from its reader meanwhile. */
    private void awaitRedis() throws InterruptedException {
        while (inFlight.get() > MAX_IN_FLIGHT && !ended) {
            synchronized (inFlight) {
                if (inFlight.get() > MAX_IN_FLIGHT) {
                    inFlight.wait(REPORT_MILLIS);
                }
            }
            stream.report();
        }
    }
}
