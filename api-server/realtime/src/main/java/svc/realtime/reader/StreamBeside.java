package svc.realtime.reader;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import svc.database.shared.PublicationPart;
import svc.postgres.SqlError;
import svc.postgres.replication.SlotConnection;
import svc.postgres.replication.SlotState;
import svc.postgres.replication.WalSource;

/**
 * A second stream of a shared database's log, while large transactions hold up the slot's own. PostgreSQL sends every row of
 * every table of a stream's publications, and reads the log on only afterwards. So this one has the publications of the other
 * projects' parts alone, and passes on their changes early; the stream of the slot passes over what Redis has from it. It is a
 * convenience: where it cannot be had, changes arrive later. Used by the thread that watches the slot.
 */
final class StreamBeside {
    private static final Logger LOG = Logger.getLogger(StreamBeside.class);

    /** About a tenth of a second of a server that writes as fast as it can. */
    private static final long MAX_LAG_BYTES = 4L << 20;

    /** Log that may be unconfirmed while the stream of the slot yields: far less than costs the slot. */
    private static final long MAX_KEPT_BYTES = 256L << 20;

    private final WalSource database;
    private final LogRecipients recipients;
    private final HandedMessages handed;
    private final ReaderMetrics metrics;
    private final DeliveredBeside delivered;
    private final PartsReadiness readiness = new PartsReadiness();
    private Optional<WalForwarder> running = Optional.empty();
    private Set<PublicationPart> without = Set.of();

    /** How far it was when no transaction held up the slot's stream any more; 0 before. */
    private long reached;

    StreamBeside(
            WalSource database,
            LogRecipients recipients,
            HandedMessages handed,
            ReaderMetrics metrics,
            DeliveredBeside delivered) {
        this.database = database;
        this.recipients = recipients;
        this.handed = handed;
        this.metrics = metrics;
        this.delivered = delivered;
    }

    /**
     * Begins, ends, or leaves it as it is.
     *
     * @param state of the slot, as it is about now
     * @param own the stream of the slot
     */
    void keep(SlotConnection connection, SlotState state, WalForwarder own) {
        running = running.filter(stream -> !stream.isEnded());
        if (!readiness.isKnown()) {
            readiness.see(connection.parts());
        }
        Set<PublicationPart> large =
                own.delaying().stream().map(PublicationPart::of).collect(Collectors.toSet());
        if (running.isEmpty()) {
            if (!large.isEmpty()) {
                begin(connection, state, large);
            }
        } else if (!without.containsAll(large)) {
            stop();
            large.addAll(without);
            begin(connection, state, large);
        } else if (large.isEmpty()) {
            endWhenReached(own);
        } else {
            reached = 0;
        }
        own.yielding(isBehind(state));
    }

    /**
     * Whether the stream of the slot should leave the processors to this one: where there are few, both would fall behind, and
     * the rows of a large transaction can wait. Not for long: what is not confirmed keeps the server's log.
     */
    private boolean isBehind(SlotState state) {
        return state.unconfirmedBytes() < MAX_KEPT_BYTES
                && running.filter(stream ->
                                state.logPosition() - Math.max(stream.accepted(), stream.received()) > MAX_LAG_BYTES)
                        .isPresent();
    }

    boolean isRunning() {
        return running.isPresent();
    }

    private void begin(SlotConnection connection, SlotState state, Set<PublicationPart> large) {
        readiness.see(connection.parts());
        Set<PublicationPart> parts = new HashSet<>(PublicationPart.all());
        parts.removeAll(large);
        if (parts.isEmpty() || !readiness.isReadyFrom(state.confirmed())) {
            return;
        }
        try {
            var source = new OpenStream(database.beside(parts), new VisibleCommits(database), state::keptBytes);
            var others = new LogRecipients(
                    (schema, table) -> recipients
                            .tables()
                            .target(schema, table)
                            // Of the rest it has messages, which would come without the changes before them.
                            .filter(target -> parts.contains(PublicationPart.of(target.projectId()))),
                    recipients.bus(),
                    recipients.messages(),
                    recipients.warnings(),
                    recipients.unfinished());
            var stream =
                    new WalForwarder(source, 0, new Deliveries(others, handed, delivered, true), metrics, () -> {});
            running = Optional.of(stream);
            without = Set.copyOf(large);
            reached = 0;
            metrics.beside();
            LOG.infof(
                    "large transactions hold up the log of slot %s, a second stream leaves out: %s",
                    database.slot(), without);
            Thread.ofPlatform()
                    .daemon()
                    .name("svc-log-beside-" + database.slot())
                    .start(stream);
        } catch (SqlError e) {
            LOG.debugf("no second stream beside that of slot %s: %s", database.slot(), e.getMessage());
        }
    }

    /** What it has passed on the stream of the slot passes over, until that is as far. */
    private void endWhenReached(WalForwarder own) {
        if (reached == 0) {
            reached = Math.max(1, running.orElseThrow().accepted());
        }
        if (own.accepted() >= reached) {
            stop();
            LOG.infof("the log of slot %s is read by one stream again", database.slot());
        }
    }

    /** Ends it; what it has passed on is known further. */
    void stop() {
        running.ifPresent(WalForwarder::stop);
        running = Optional.empty();
        without = Set.of();
        reached = 0;
    }

    /** The positions of the log begin again. */
    void forget() {
        stop();
        delivered.clear();
    }
}
