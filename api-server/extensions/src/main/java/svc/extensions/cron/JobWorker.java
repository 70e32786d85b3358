package svc.extensions.cron;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import svc.extensions.project.LiveProjects;
import svc.platform.tenancy.Tenant;
import svc.postgres.jdbc.ExtensionDatabase;

/**
 * Starts the due jobs of one database, in the process that leads there: each job once at a time, few of a project at once. A time
 * that passed while no process led, or while the project's places were taken, is written into the history and not made up for. Used
 * by one thread; commands run on threads of their own.
 */
public final class JobWorker {
    private static final Logger LOG = Logger.getLogger(JobWorker.class);

    /** Jobs of one project that run at once: each takes a connection of the project. */
    static final int RUNNING_OF_PROJECT = 4;

    /** The same of all projects of the database: fewer than SQL sessions of an instance, which other callers need too. */
    static final int RUNNING = 32;

    /** Jobs that one turn reads, each with a command of 64 KB at the longest. */
    private static final int PAGE = 500;

    /** A job that begins later than this has missed its time. */
    static final Duration GRACE = Duration.ofSeconds(60);

    private static final String MISSED =
            "missed: it was not started within 60 seconds of its time, and is not made up for";
    private static final String LOST = "the platform was restarted while the job ran; how it ended is not known";

    private final ExtensionDatabase database;
    private final LiveProjects projects;
    private final JobCommands commands;
    private final Executor threads;
    private final Clock clock;
    private final Map<Job.Key, Run.Key> running = new ConcurrentHashMap<>();
    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();

    private record Ended(Job job, Run.Key run, JobResult result, Instant at) {}

    /** What one turn decides. */
    private static final class Turn {
        private final Map<Job, Optional<Instant>> times = new HashMap<>();
        private final List<Start> starts = new ArrayList<>();
        private final List<Run> missed = new ArrayList<>();
        private final Map<String, Integer> places = new HashMap<>();
    }

    private record Start(Job job, Tenant tenant) {}

    private record Started(Start start, Run.Key run) {}

    /** @param threads runs each command on a thread that may block */
    public JobWorker(
            ExtensionDatabase database, LiveProjects projects, JobCommands commands, Executor threads, Clock clock) {
        this.database = database;
        this.projects = projects;
        this.commands = commands;
        this.threads = threads;
        this.clock = clock;
    }

    /** The process leads from now on: runs that another one left are closed. */
    public void lead() {
        var store = new JobStore(database);
        Set<Run.Key> own = new HashSet<>(running.values());
        ended.forEach(end -> own.add(end.run()));
        List<Run.Key> left = store.running().filter(run -> !own.contains(run)).toList();
        left.forEach(run -> store.end(run, JobResult.failure(LOST), clock.instant()));
    }

    /** Writes what has ended and starts what is due. */
    public void turn() {
        writeEnds();
        Instant now = clock.instant();
        Set<String> full = full();
        List<Started> started = database.transaction(statements -> {
            var store = new JobStore(statements);
            Turn turn = decide(store.due(now, full, PAGE), now);
            store.setDue(turn.times);
            turn.missed.forEach(store::add);
            return turn.starts.stream()
                    .map(start -> new Started(start, store.add(Run.begun(start.job(), now))))
                    .toList();
        });
        started.forEach(this::start);
    }

    /** Projects without a place: their waiting jobs would take the turn of others. */
    private Set<String> full() {
        Map<String, Integer> places = new HashMap<>();
        running.keySet().forEach(job -> places.merge(job.schema(), 1, Integer::sum));
        Set<String> full = new HashSet<>();
        places.forEach((schema, held) -> {
            if (held >= RUNNING_OF_PROJECT) {
                full.add(schema);
            }
        });
        return full;
    }

    private Turn decide(List<Job> due, Instant now) {
        var turn = new Turn();
        running.keySet().forEach(job -> turn.places.merge(job.schema(), 1, Integer::sum));
        for (Job job : due) {
            if (job.dueAt().isEmpty()) {
                turn.times.put(job, job.calendar().next(now));
            } else {
                decide(turn, job, now);
            }
        }
        return turn;
    }

    private void decide(Turn turn, Job job, Instant now) {
        Optional<Tenant> tenant = projects.find(job.schema());
        // Of a project that is paused, nothing is said; a job that still runs is not started again.
        if (tenant.isPresent() && !running.containsKey(job.key())) {
            if (job.dueAt().orElseThrow().plus(GRACE).isBefore(now)) {
                turn.missed.add(Run.missed(job, MISSED, now));
            } else if (hasPlace(turn, job)) {
                turn.places.merge(job.schema(), 1, Integer::sum);
                turn.starts.add(new Start(job, tenant.get()));
            } else {
                return;
            }
        }
        turn.times.put(job, after(job, now));
    }

    private boolean hasPlace(Turn turn, Job job) {
        return running.size() + turn.starts.size() < RUNNING
                && turn.places.getOrDefault(job.schema(), 0) < RUNNING_OF_PROJECT;
    }

    /** An interval counts from the time that was due, so that delays of the worker do not add up. */
    private static Optional<Instant> after(Job job, Instant now) {
        Optional<Instant> next = job.calendar().next(job.dueAt().orElseThrow());
        return next.filter(time -> time.isAfter(now)).or(() -> job.calendar().next(now));
    }

    private void start(Started started) {
        Job job = started.start().job();
        running.put(job.key(), started.run());
        threads.execute(() -> {
            JobResult result = JobResult.failure("the platform could not run the command");
            try {
                result = commands.run(started.start().tenant(), job.id(), job.command());
            } catch (RuntimeException e) {
                LOG.errorf(e, "while running job %d of %s", job.id(), job.schema());
            } finally {
                ended.add(new Ended(job, started.run(), result, clock.instant()));
                running.remove(job.key());
            }
        });
    }

    /** What cannot be written now comes in the next turn. */
    private void writeEnds() {
        Set<String> schemas = new HashSet<>();
        var store = new JobStore(database);
        for (int left = ended.size(); left > 0; left--) {
            Ended end = ended.peek();
            boolean written = store.end(end.run(), end.result(), end.at());
            ended.remove();
            if (written) {
                schemas.add(end.job().schema());
            } else {
                ended.add(end);
            }
        }
        store.trim(schemas);
    }
}
