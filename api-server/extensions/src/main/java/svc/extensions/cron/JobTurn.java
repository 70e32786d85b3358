package svc.extensions.cron;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.platform.budget.Permit;

/** What is decided of the due jobs of one project: which start, which have missed their time, and when each is due again. */
final class JobTurn {
    /** A job that begins later than this has missed its time, unless only the platform had no place for it. */
    static final Duration GRACE = Duration.ofSeconds(60);

    private static final String MISSED =
            "missed: it was not started within 60 seconds of its time, and is not made up for";

    private final Instant now;
    private final Set<Job.Key> running;
    private final Set<Run.Key> ended;
    private final Map<Job.Key, Instant> before;
    private final Map<Job.Key, Instant> delayed = new HashMap<>();
    private final Map<Job, Optional<Instant>> times = new HashMap<>();
    private final List<Start> starts = new ArrayList<>();
    private final List<Run> missed = new ArrayList<>();

    /** The places of the project. */
    interface PlaceOf {
        Optional<Permit> take();

        /** Whether there is none because its own jobs have them. */
        boolean projectIsFull();
    }

    record Start(Job job, Permit place) {}

    /**
     * @param running jobs of this process
     * @param ended runs of this process whose ends are not written
     * @param before when its jobs last waited for a place of the platform
     */
    JobTurn(Instant now, Set<Job.Key> running, Set<Run.Key> ended, Map<Job.Key, Instant> before) {
        this.now = now;
        this.running = running;
        this.ended = ended;
        this.before = before;
    }

    /** @param place empty for a project that is paused: nothing is said of its jobs */
    void decide(List<Job> due, Optional<PlaceOf> place) {
        for (Job job : due) {
            if (job.dueAt().isEmpty()) {
                times.put(job, job.calendar().next(now));
            } else if (place.isEmpty() || runs(job)) {
                // A job that still runs is not started again.
                times.put(job, after(job));
            } else {
                decide(job, place.get());
            }
        }
    }

    private void decide(Job job, PlaceOf place) {
        if (waitedSince(job).plus(GRACE).isBefore(now)) {
            missed.add(Run.missed(job.key(), MISSED, now));
            times.put(job, after(job));
            return;
        }
        Optional<Permit> taken = place.take();
        if (taken.isPresent()) {
            starts.add(new Start(job, taken.get()));
            times.put(job, after(job));
        } else if (!place.projectIsFull()) {
            delayed.put(job.key(), now);
        } else if (before.containsKey(job.key())) {
            delayed.put(job.key(), before.get(job.key()));
        }
    }

    /** Since when the job could have been started, as far as it was up to the platform. */
    private Instant waitedSince(Job job) {
        Instant due = job.dueAt().orElseThrow();
        Instant delayed = before.getOrDefault(job.key(), due);
        return delayed.isAfter(due) ? delayed : due;
    }

    private boolean runs(Job job) {
        return running.contains(job.key())
                || job.open().stream()
                        .anyMatch(run ->
                                ended.stream().noneMatch(end -> end.job().equals(job.key()) && end.id() == run));
    }

    /** An interval counts from the time that was due, so that delays of the worker do not add up. */
    private Optional<Instant> after(Job job) {
        Optional<Instant> next = job.calendar().next(job.dueAt().orElseThrow());
        return next.filter(time -> time.isAfter(now)).or(() -> job.calendar().next(now));
    }

    Instant now() {
        return now;
    }

    Map<Job, Optional<Instant>> times() {
        return times;
    }

    /** When its jobs that wait have last waited for a place of the platform. */
    Map<Job.Key, Instant> delayed() {
        return delayed;
    }

    List<Start> starts() {
        return starts;
    }

    List<Run> missed() {
        return missed;
    }
}
