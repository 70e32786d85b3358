package svc.extensions.cron;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import svc.extensions.project.LiveProjects;
import svc.extensions.share.Ongoing;
import svc.extensions.share.Places;
import svc.platform.budget.Permit;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;
import svc.postgres.jdbc.ExtensionDatabase;

/**
 * Starts the due jobs of one database, in the process that leads there: each job once at a time, also while a command still runs in
 * a process that has led before. A time that passed while no process led, or while the project's places were taken, is
 * written into the history and not made up for. One thread makes turns; commands run on threads of their own.
 */
public final class JobWorker {
    private static final Logger LOG = Logger.getLogger(JobWorker.class);

    /** Jobs of one project that run at once: each takes a connection of the project. */
    static final int RUNNING_OF_PROJECT = 4;

    /** The same of all projects in a process: fewer than its SQL sessions, which other callers need too. */
    static final int RUNNING = 32;

    /** Projects that one turn reads; the next turn goes on behind them. */
    private static final int PAGE = 500;

    /** Beyond the limit of a command: differences of clocks, and writing the end. */
    static final Duration MARGIN = Duration.ofSeconds(60);

    private static final String LOST = "the platform was restarted while the job ran; how it ended is not known";

    private final ExtensionDatabase database;
    private final LiveProjects projects;
    private final JobCommands commands;
    private final Places places;
    private final Ongoing ongoing;
    private final Clock clock;
    private final Map<Job.Key, Run.Key> running = new ConcurrentHashMap<>();
    private final JobEnds ends;
    private final JobDelays delays = new JobDelays();
    private String last = "";

    private record Started(JobStore.Added run, Tenant tenant, Permit place) {}

    /**
     * @param places of {@link #places}, for all databases of the process
     * @param threads runs each command on a thread that may block
     */
    public JobWorker(
            ExtensionDatabase database,
            LiveProjects projects,
            JobCommands commands,
            Places places,
            Executor threads,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.commands = commands;
        this.places = places;
        this.ongoing = new Ongoing(threads);
        this.clock = clock;
        this.ends = new JobEnds(new JobStore(database));
    }

    /** Of the jobs of one process. */
    public static Places places() {
        return new Places("jobs", RUNNING, RUNNING_OF_PROJECT);
    }

    /** Writes what has ended; a process that does not lead may have runs too. */
    public void writeEnds() {
        ends.write();
    }

    /** Starts what is due, a transaction for each project: the error of one ends no other's jobs. */
    public void turn() {
        Instant now = now();
        List<String> due = new JobStore(database).projects(now, last, PAGE);
        for (String schema : due) {
            // Before its work: after an outage, the next turn begins with another.
            last = schema;
            start(schema, now);
        }
        if (due.size() < PAGE) {
            last = "";
            delays.forgetOlder();
        }
    }

    /** Closes runs whose process has ended, when their commands cannot run any more. */
    public void closeLost() {
        Set<Run.Key> own = new HashSet<>(running.values());
        own.addAll(ends.unwritten());
        Instant now = now();
        new JobStore(database).close(alive(now), own, LOST, now).forEach(ends::grew);
    }

    /**
     * Waits for commands that run, and writes their ends.
     *
     * @return false when some had not ended after the time: they are closed as lost if the process ends
     */
    public boolean drain(Duration limit) throws InterruptedException {
        boolean ended = ongoing.await(limit);
        ends.write();
        return ended;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /** A run that began before has ended, or its process has. */
    private Instant alive(Instant now) {
        return now.minus(commands.limit()).minus(MARGIN);
    }

    private void start(String schema, Instant now) {
        Optional<Tenant> tenant = projects.find(schema);
        List<Permit> taken = new ArrayList<>();
        var turn = new JobTurn(now, running.keySet(), ends.unwritten(), delays.of(schema));
        try {
            List<Started> started = database.transaction(statements -> {
                var store = new JobStore(statements);
                turn.decide(store.due(schema, now, alive(now)), tenant.map(known -> place(known, taken)));
                return write(store, turn, tenant);
            });
            taken.clear();
            delays.set(schema, turn.delayed());
            started.forEach(this::start);
        } catch (SqlError e) {
            if (e.infrastructure()) {
                throw e;
            }
            LOG.errorf(e, "jobs of %s cannot be started", schema);
        } finally {
            taken.forEach(Permit::close);
        }
    }

    private JobTurn.PlaceOf place(Tenant tenant, List<Permit> taken) {
        return new JobTurn.PlaceOf() {
            @Override
            public Optional<Permit> take() {
                Optional<Permit> place = places.take(tenant);
                place.ifPresent(taken::add);
                return place;
            }

            @Override
            public boolean projectIsFull() {
                return places.usedUp(tenant);
            }
        };
    }

    private List<Started> write(JobStore store, JobTurn turn, Optional<Tenant> tenant) {
        store.setDue(turn.times());
        turn.missed().forEach(run -> {
            store.add(run);
            ends.grew(run.job().schema());
        });
        return turn.starts().stream()
                .map(start -> new Started(
                        store.add(Run.begun(start.job().key(), turn.now())), tenant.orElseThrow(), start.place()))
                .toList();
    }

    private void start(Started started) {
        Run.Key run = started.run().key();
        running.put(run.job(), run);
        boolean begun = false;
        try {
            ongoing.begin(() -> run(started));
            begun = true;
        } finally {
            if (!begun) {
                end(started, JobResult.failure("the platform could not run the command"));
            }
        }
    }

    private void run(Started started) {
        Run.Key run = started.run().key();
        JobResult result = JobResult.failure("the platform could not run the command");
        try {
            result =
                    commands.run(started.tenant(), run.job().id(), started.run().command());
        } catch (RuntimeException e) {
            LOG.errorf(e, "while running job %d of %s", run.job().id(), run.schema());
        } finally {
            end(started, result);
        }
    }

    private void end(Started started, JobResult result) {
        Run.Key run = started.run().key();
        ends.add(run, result, now());
        running.remove(run.job());
        started.place().close();
    }
}
