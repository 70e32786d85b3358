package svc.realtime.reader;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import svc.realtime.bus.ProjectBus.Kind;

/** The batches that a stream fills, one for each project, and their way to Redis. Used by the reading thread. */
final class OpenBatches {
    /** Changes that arrive together travel together, up to this size. */
    private static final int BATCH_BYTES = 64 << 10;

    private static final int MAX_OPEN = 256;

    /**
     * So long a change waits for others. Hazard: a stream that is asked for what is there waits a millisecond for more, so changes
     * that come faster than that leave no pause after which they would be published.
     */
    private static final long MAX_WAIT_NANOS = Duration.ofMillis(2).toNanos();

    private final long completeSince;
    private final Deliveries deliveries;
    private final InFlight inFlight;
    private final ReaderMetrics metrics;
    private final LongSupplier nanos;
    private final Map<UUID, BatchWriter> open = new LinkedHashMap<>();
    private long openSince;

    /** The last change of each project that was passed on. */
    private final Map<UUID, LogPosition> published = new HashMap<>();

    /**
     * @param completeSince where the slot was made, when this process has made it; else 0
     * @param nanos a clock that only goes on
     */
    OpenBatches(
            long completeSince, Deliveries deliveries, InFlight inFlight, ReaderMetrics metrics, LongSupplier nanos) {
        this.completeSince = completeSince;
        this.deliveries = deliveries;
        this.inFlight = inFlight;
        this.metrics = metrics;
        this.nanos = nanos;
    }

    /** The batch of a project, begun if there is none. */
    BatchWriter of(UUID project) {
        if (open.isEmpty()) {
            openSince = nanos.getAsLong();
        }
        return open.computeIfAbsent(
                project, id -> new BatchWriter(id, completeSince, Optional.ofNullable(published.get(id))));
    }

    /** Whether batches should be published before more is read: one is long, or there are many. */
    boolean areFull(BatchWriter last) {
        return last.bytes() >= BATCH_BYTES || open.size() >= MAX_OPEN;
    }

    /** Whether what is open has waited for others long enough. */
    boolean haveWaited() {
        return !open.isEmpty() && nanos.getAsLong() - openSince > MAX_WAIT_NANOS;
    }

    boolean isOpen(UUID project) {
        return open.containsKey(project);
    }

    /** Another stream has delivered the project's changes up to this one, and no batch of it is open. */
    void deliveredBeside(UUID project, LogPosition position) {
        published.put(project, position);
    }

    /** What fails stays open. */
    void publish() {
        List.copyOf(open.values()).forEach(batch -> {
            UUID project = batch.projectId();
            LogPosition last = batch.last();
            metrics.decoded(batch.changes());
            published.put(project, last);
            Future<Void> accepted = deliveries.recipients().bus().publish(project, Kind.CHANGES, batch.message());
            inFlight.add(batch.bytes(), accepted.onSuccess(taken -> deliveries.accepted(project, last)));
            open.remove(project);
        });
    }
}
