package svc.realtime.reader;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.postgres.SqlError;
import svc.postgres.replication.SlotConnection;
import svc.postgres.replication.SlotState;
import svc.postgres.replication.WalSource;
import svc.postgres.replication.WalStream;
import svc.realtime.bus.ProjectBus.Kind;

/** This process's stream of a slot: at most one, on a thread of its own. Used by the thread that watches the slot. */
final class SlotReading {
    private static final Logger LOG = Logger.getLogger(SlotReading.class);
    private static final String IN_USE = "55006";

    /** Of attempts to drop a slot whose reader has just gone, a tenth of a second apart. */
    private static final int MAX_ATTEMPTS = 20;

    /** Checks of a slot whose stream has ended, until the server has noticed so. */
    private static final int MAX_LOOKS = 100;

    private static final Duration BETWEEN_STREAMS = Duration.ofMillis(20);
    private static final Duration BESIDE = Duration.ofMillis(100);
    private static final Duration REDIS_LIMIT = Duration.ofSeconds(5);

    private final WalSource database;
    private final LogRecipients recipients;
    private final ReaderMetrics metrics;
    private final Runnable wake;
    private final HandedMessages handed;
    private final ReadFailures failures = new ReadFailures();
    private final StreamingChoice choice = new StreamingChoice();
    private final DeliveredBeside delivered = new DeliveredBeside();
    private final StreamBeside beside;

    /** Everything before has been passed on. */
    private long passedOn;

    private int looks;
    private volatile long kept;
    private volatile WalForwarder pump;

    /** @param wake runs when a stream has ended in order, so that another one can begin at once, or is held up */
    SlotReading(WalSource database, LogRecipients recipients, ReaderMetrics metrics, Runnable wake) {
        this.wake = wake;
        this.database = database;
        this.recipients = recipients;
        this.handed = new HandedMessages(recipients.messages(), metrics);
        this.metrics = metrics;
        this.beside = new StreamBeside(database, recipients, handed, metrics, delivered);
    }

    /** Whether a stream was begun, and has not been given up since. */
    boolean hasBegun() {
        return pump != null;
    }

    /** Any thread. */
    boolean isRunning() {
        WalForwarder running = pump;
        return running != null && !running.isEnded();
    }

    /**
     * Begins to read, unless this process or another one does.
     *
     * @param createdAt where this process has made the slot; 0 if it has not
     */
    void begin(SlotState state, long createdAt) throws InterruptedException {
        takeEnded();
        kept = state.keptBytes();
        looks = Math.max(0, looks - 1);
        replaceWhole();
        if (pump != null || state.active()) {
            return;
        }
        if (state.logPosition() < passedOn) {
            // The server was restored to an earlier time.
            forget();
        }
        Optional<Unreadable> hopeless = failures.hopeless();
        if (hopeless.isPresent() && (hopeless.get().projects().isEmpty() || !isPassed(hopeless.get()))) {
            return;
        }
        try {
            WalStream stream = database.stream(passedOn, choice.streaming());
            stream.confirm(passedOn);
            pump = new WalForwarder(
                    new OpenStream(stream, new VisibleCommits(database), () -> kept),
                    createdAt,
                    new Deliveries(recipients, handed, delivered, false),
                    metrics,
                    wake);
        } catch (SqlError e) {
            if (!e.is(IN_USE)) {
                throw e;
            }
            // Another process was quicker.
            return;
        }
        looks = 0;
        WalForwarder begun = pump;
        Thread.ofPlatform().daemon().name("svc-log-reader-" + database.slot()).start(() -> {
            metrics.reading(true);
            begun.run();
            metrics.reading(false);
            if (begun.isDone()) {
                wake.run();
            }
        });
    }

    /** Reads around large transactions of a shared database. @param state of the slot, as it was before {@link #begin} */
    void readBeside(SlotConnection connection, SlotState state) {
        if (isRunning() && database.isShared()) {
            beside.keep(connection, state, pump);
        } else if (pump == null) {
            // Another process reads: it passes on what is missing.
            beside.stop();
        }
    }

    /** Where transactions were to be read whole and were: the next stream has the rows of unfinished ones again. */
    private void replaceWhole() {
        if (pump != null && choice.isOver(System.nanoTime(), kept)) {
            choice.resume();
            pump.replace();
        }
    }

    private void takeEnded() {
        if (pump != null && pump.isEnded()) {
            if (pump.isWholeWanted()) {
                choice.readWhole(System.nanoTime());
            }
            passedOn = Math.max(passedOn, pump.accepted());
            pump.unreadable().ifPresent(failures::add);
            looks = pump.isDone() ? MAX_LOOKS : 0;
            pump = null;
        }
    }

    /** When the slot is to be seen again. @param poll the interval while nothing happens */
    Duration pause(Duration poll) {
        if (looks > 0) {
            // A stream has ended in order, and the server has not noticed it yet.
            return BETWEEN_STREAMS;
        }
        return beside.isRunning() && poll.compareTo(BESIDE) > 0 ? BESIDE : poll;
    }

    /** Whether a stream has ended in order, and the next one has not begun. */
    boolean isBetweenStreams() {
        return looks > 0;
    }

    /** Whether reading has failed again and again where it is not known whose transaction it is: the slot is of no use. */
    boolean isStuck() {
        takeEnded();
        return failures.hopeless().filter(place -> place.projects().isEmpty()).isPresent();
    }

    /** Tells the projects of a transaction that it is not read; false while Redis does not take that. */
    private boolean isPassed(Unreadable transaction) throws InterruptedException {
        var notices = new InFlight(() -> {});
        transaction.projects().forEach(project -> {
            Buffer word = BatchWriter.unreadable(project, transaction.commit(), transaction.commitMicros());
            notices.add(word.length(), recipients.bus().publish(project, Kind.CHANGES, word));
        });
        if (!notices.isAccepted(REDIS_LIMIT)) {
            return false;
        }
        LOG.errorf(
                "the transaction at %x of the log of slot %s cannot be read and is passed, its projects are %s: %s",
                transaction.commit(), database.slot(), transaction.projects(), transaction.reason());
        transaction.projects().forEach(project -> recipients.warnings().accept(project, warning(transaction)));
        metrics.passed();
        // The first byte behind the beginning of its commit record.
        passedOn = transaction.commit() + 1;
        failures.clear();
        return true;
    }

    private static String warning(Unreadable transaction) {
        return "The changes of a transaction that committed at " + LogTime.of(transaction.commitMicros())
                + " were not delivered to subscribers: PostgreSQL cannot send them (" + transaction.reason()
                + "). A row of a published table takes less than 1 GB as text";
    }

    private void forget() {
        passedOn = 0;
        beside.forget();
        handed.forget();
        failures.clear();
    }

    void stop() {
        beside.stop();
        if (pump != null) {
            pump.stop();
            pump = null;
        }
    }

    /** Forgets how far a slot was read that is gone. */
    void reset() {
        stop();
        forget();
    }

    /** Drops the slot. */
    void drop() throws InterruptedException {
        forget();
        for (int attempt = 0; ; attempt++) {
            try {
                database.drop();
                return;
            } catch (SqlError e) {
                if (!e.is(IN_USE) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                // The server has not noticed yet that the reader has gone.
                Thread.sleep(100);
            }
        }
    }
}
