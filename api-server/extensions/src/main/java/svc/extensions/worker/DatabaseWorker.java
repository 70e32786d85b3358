package svc.extensions.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import svc.extensions.cron.JobCommands;
import svc.extensions.cron.JobWorker;
import svc.extensions.net.RequestLimits;
import svc.extensions.net.RequestSender;
import svc.extensions.net.RequestWorker;
import svc.extensions.project.LiveProjects;
import svc.extensions.share.Places;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.jdbc.ExtensionDatabase;
import svc.postgres.jdbc.ExtensionDatabase.Lead;

/**
 * The worker of one shared database: does the due work if this process leads there, and tries to lead otherwise. Its turns are
 * made by one thread; another may close it. The lead spares two processes the same work and decides nothing: jobs and requests are
 * claimed in the database, so that one which has lost the lead without knowing does no work of another.
 */
final class DatabaseWorker implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DatabaseWorker.class);

    /** Between two turns of the requests. */
    static final Duration PACE = Duration.ofMillis(100);

    /** Between two turns of the jobs, whose times are whole seconds at the finest. */
    private static final Duration JOBS = Duration.ofMillis(500);

    /** Between two attempts to lead, and two questions whether the lead is held. */
    private static final Duration LEAD = Duration.ofSeconds(3);

    private static final Duration UPKEEP = Duration.ofMinutes(1);

    /** After a turn of the requests that took long, such a multiple of its time passes: an old snapshot keeps dead rows. */
    private static final int REST = 4;

    private static final Duration SLOW_TURN = Duration.ofMillis(50);

    private static final Duration MAX_REST = Duration.ofSeconds(5);

    /** How long a process that stops waits for what it has under way. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final ExtensionDatabase database;
    private final JobWorker jobs;
    private final RequestWorker requests;
    private final Clock clock;

    /** Held during a turn and while it is closed: no turn finds a closed database, and none takes the lead afterwards. */
    private final ReentrantLock lock = new ReentrantLock();

    private Optional<Lead> lead = Optional.empty();
    private boolean closed;
    private boolean unreachable;
    private Instant nextLead = Instant.MIN;
    private Instant nextJobs = Instant.MIN;
    private Instant nextRequests = Instant.MIN;
    private Instant nextUpkeep = Instant.MIN;

    /** What all workers of a process share. */
    record Parts(
            LiveProjects projects,
            JobCommands commands,
            Places jobs,
            RequestSender sender,
            RequestLimits requests,
            Executor threads,
            Clock clock) {
        static Parts of(
                LiveProjects projects, JobCommands commands, RequestSender sender, Executor threads, Clock clock) {
            return new Parts(projects, commands, JobWorker.places(), sender, new RequestLimits(), threads, clock);
        }
    }

    /** @param database closed with this worker */
    DatabaseWorker(ExtensionDatabase database, Parts parts) {
        this.database = database;
        this.jobs = new JobWorker(
                database, parts.projects(), parts.commands(), parts.jobs(), parts.threads(), parts.clock());
        this.requests =
                new RequestWorker(database, parts.projects(), parts.sender(), parts.requests(), parts.threads());
        this.clock = parts.clock();
    }

    /** @throws RuntimeException when a part of the work fails, after all the others; the next turn tries again */
    void turn() {
        lock.lock();
        try {
            if (!closed) {
                work(clock.instant());
            }
        } finally {
            lock.unlock();
        }
    }

    private void work(Instant now) {
        var turn = new Attempts();
        boolean forJobs = !now.isBefore(nextJobs);
        if (forJobs) {
            nextJobs = now.plus(JOBS);
            turn.attempt(jobs::writeEnds);
        }
        if (leads(now)) {
            if (!now.isBefore(nextRequests)) {
                turn.attempt(() -> requests(now));
            }
            if (forJobs) {
                turn.attempt(jobs::turn);
            }
            if (!now.isBefore(nextUpkeep)) {
                nextUpkeep = now.plus(UPKEEP);
                turn.attempt(requests::expire);
                turn.attempt(jobs::closeLost);
            }
        }
        turn.finish();
    }

    private void requests(Instant now) {
        long began = System.nanoTime();
        try {
            requests.turn();
        } finally {
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            if (took.compareTo(SLOW_TURN) > 0) {
                Duration rest = took.multipliedBy(REST);
                nextRequests = now.plus(rest.compareTo(MAX_REST) > 0 ? MAX_REST : rest);
            }
        }
    }

    private boolean leads(Instant now) {
        if (now.isBefore(nextLead)) {
            return lead.isPresent();
        }
        nextLead = now.plus(LEAD);
        if (lead.isPresent() && !lead.get().holds()) {
            LOG.warn("the lead of a shared database is lost; trying to take it again");
            leave();
        }
        if (lead.isEmpty()) {
            lead = take();
        }
        return lead.isPresent();
    }

    private Optional<Lead> take() {
        try {
            Optional<Lead> taken = database.lead();
            unreachable = false;
            return taken;
        } catch (SqlError | PoolExhausted e) {
            // One warning for an outage: the next attempt comes soon.
            LOG.logf(
                    unreachable ? Level.DEBUG : Level.WARN,
                    "jobs and requests of a shared database wait: %s",
                    e.getMessage());
            unreachable = true;
            return Optional.empty();
        }
    }

    private void leave() {
        lead.ifPresent(Lead::close);
        lead = Optional.empty();
    }

    /** Takes nothing more, waits for what is under way, and then gives the lead back. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                drain();
                leave();
                database.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        long deadline = System.nanoTime() + DRAIN.toNanos();
        try {
            boolean sent = requests.drain(DRAIN);
            boolean ran = jobs.drain(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            if (!sent || !ran) {
                LOG.warnf(
                        "jobs or requests of a shared database had not ended %d seconds after this process was stopped",
                        DRAIN.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warnf("ends of jobs could not be written: %s", e.getMessage());
        }
    }
}
