package svc.extensions.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import svc.extensions.cron.JobCommands;
import svc.extensions.cron.JobWorker;
import svc.extensions.net.RequestSender;
import svc.extensions.net.RequestWorker;
import svc.extensions.project.LiveProjects;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.jdbc.ExtensionDatabase;
import svc.postgres.jdbc.ExtensionDatabase.Lead;

/**
 * The worker of one shared database: does the due work if this process leads there, and tries to lead otherwise. Its turns are
 * made by one thread; another may close it. A process that has lost the lead without knowing may send a request again, and starts no job: a job is
 * taken by a transaction.
 */
final class DatabaseWorker implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DatabaseWorker.class);

    /** Between two turns of the requests. */
    static final Duration PACE = Duration.ofMillis(100);

    /** Between two turns of the jobs, whose times are whole seconds at the finest. */
    private static final Duration JOBS = Duration.ofMillis(500);

    /** Between two attempts to lead, and two questions whether the lead is held. */
    private static final Duration LEAD = Duration.ofSeconds(3);

    private static final Duration EXPIRY = Duration.ofMinutes(1);

    private final ExtensionDatabase database;
    private final JobWorker jobs;
    private final RequestWorker requests;
    private final Clock clock;
    private volatile Optional<Lead> lead = Optional.empty();
    private volatile boolean closed;
    private boolean unreachable;
    private Instant nextLead = Instant.MIN;
    private Instant nextJobs = Instant.MIN;
    private Instant nextExpiry = Instant.MIN;

    /** What all workers of a process share. */
    record Parts(LiveProjects projects, JobCommands commands, RequestSender sender, Executor threads, Clock clock) {}

    /** @param database closed with this worker */
    DatabaseWorker(ExtensionDatabase database, Parts parts) {
        this.database = database;
        this.jobs = new JobWorker(database, parts.projects(), parts.commands(), parts.threads(), parts.clock());
        this.requests = new RequestWorker(database, parts.projects(), parts.sender(), parts.threads());
        this.clock = parts.clock();
    }

    /** @throws RuntimeException when a statement fails; the next turn tries again */
    void turn() {
        Instant now = clock.instant();
        if (!closed && leads(now)) {
            requests.turn();
            if (!now.isBefore(nextJobs)) {
                nextJobs = now.plus(JOBS);
                jobs.turn();
            }
            if (!now.isBefore(nextExpiry)) {
                nextExpiry = now.plus(EXPIRY);
                requests.expire();
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
        Optional<Lead> taken = Optional.empty();
        try {
            taken = database.lead();
            taken.ifPresent(lead -> jobs.lead());
            unreachable = false;
            return taken;
        } catch (SqlError | PoolExhausted e) {
            // One warning for an outage: the next attempt comes soon.
            LOG.logf(
                    unreachable ? Level.DEBUG : Level.WARN,
                    "jobs and requests of a shared database wait: %s",
                    e.getMessage());
            unreachable = true;
            taken.ifPresent(Lead::close);
            return Optional.empty();
        }
    }

    private void leave() {
        lead.ifPresent(Lead::close);
        lead = Optional.empty();
    }

    @Override
    public void close() {
        closed = true;
        leave();
        database.close();
    }
}
