package svc.platform.projectlog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;

/**
 * Takes lines for the projects' logs. Never blocks and never fails: a line for which its project, or the process, has no
 * place is counted, and one line in the project's log says how many are lost.
 */
@ApplicationScoped
public class ProjectLog {
    private static final int MAX_PROJECTS = 20_000;
    private static final Duration FORGOTTEN = Duration.ofMinutes(5);

    private final boolean enabled;
    private final boolean requests;
    private final Clock clock;
    private final LongSupplier nanos;
    private final LogLimits limits;
    private final LinkedBlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();

    /** For the lines of the queue. */
    private final Budget places;

    private final Limit ofProject;
    private final Queue<LineRate> losers = new ConcurrentLinkedQueue<>();
    private final Cache<UUID, LineRate> rates = Caffeine.newBuilder()
            .maximumSize(MAX_PROJECTS)
            .expireAfterAccess(FORGOTTEN)
            .build();

    @Inject
    ProjectLog(LogConfig config, Clock clock) {
        this(config.enabled(), config.requests(), LogLimits.of(config), clock, System::nanoTime);
    }

    private ProjectLog(boolean enabled, boolean requests, LogLimits limits, Clock clock, LongSupplier nanos) {
        this.enabled = enabled;
        this.requests = enabled && requests;
        this.limits = limits;
        this.places = new Budget("log-lines", limits.queue());
        this.ofProject = new Limit.Fixed(limits.projectQueue());
        this.clock = clock;
        this.nanos = nanos;
    }

    /** For tests: a log that nothing empties. */
    public static ProjectLog of(LogLimits limits, Clock clock, LongSupplier nanos) {
        return new ProjectLog(true, true, limits, clock, nanos);
    }

    private record Waiting(Permit permit, ProjectLine line) {}

    /** Whether requests are lines: what costs something to find out need not be found out otherwise. */
    public boolean takesRequests() {
        return requests;
    }

    /** Whether the project has a place for a line that costs something to make; counts it as lost otherwise. */
    public boolean hasPlace(UUID projectId, LogSource source) {
        LineRate rate = rate(projectId);
        boolean has = account(projectId).held() < limits.projectQueue() && rate.has(nanos.getAsLong());
        if (!has) {
            lose(rate, source, 1);
        }
        return has;
    }

    /** Takes one line, or counts it as lost. */
    public void add(ProjectLine line) {
        if (!enabled) {
            return;
        }
        LineRate rate = rate(line.projectId());
        Permit permit = account(line.projectId()).open();
        // A line that finds no place costs none of the rate.
        if (permit.grow(line.places()) == Verdict.GRANTED && rate.take(nanos.getAsLong(), line.places())) {
            queue.add(new Waiting(permit, line));
        } else {
            permit.close();
            lose(rate, line.source(), 1);
        }
    }

    private Account account(UUID projectId) {
        return places.whole().part(projectId.toString(), ofProject);
    }

    /** A line of now that is no request. */
    public void add(
            UUID projectId,
            LogSource source,
            LogSeverity severity,
            Optional<String> requestId,
            String message,
            Map<String, String> attributes) {
        if (enabled) {
            add(new ProjectLine(
                    projectId, source, severity, now(), requestId.orElse(""), message, Optional.empty(), attributes));
        }
    }

    /** Microseconds since 1970. */
    public long now() {
        return ProjectLine.micros(clock.instant());
    }

    /** Counts lines that were taken and could not be sent. */
    void lost(List<ProjectLine> lines) {
        lines.forEach(line -> lose(rate(line.projectId()), line.source(), 1));
    }

    /**
     * Waits for the first line, then takes what is there; and one line for each project that has lost some.
     *
     * @param most places of the lines together; the last line may exceed them
     */
    List<ProjectLine> take(int most, Duration wait) throws InterruptedException {
        List<ProjectLine> lines = new ArrayList<>();
        int left = most;
        Waiting next = queue.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
        while (next != null) {
            int places = next.line().places();
            next.permit().close();
            lines.add(next.line());
            left -= places;
            next = left > 0 ? queue.poll() : null;
        }
        for (LineRate loser; left > 0 && (loser = losers.poll()) != null; left--) {
            LineRate.Loss loss = loser.takeLoss();
            if (loss.lines() > 0) {
                lines.add(new ProjectLine(
                        loser.projectId(),
                        loss.source(),
                        LogSeverity.WARN,
                        now(),
                        "",
                        loss.lines() + " lines lost",
                        Optional.empty(),
                        Map.of("lost", Long.toString(loss.lines()))));
            }
        }
        return lines;
    }

    private LineRate rate(UUID projectId) {
        return rates.get(projectId, id -> new LineRate(id, limits, nanos.getAsLong()));
    }

    private void lose(LineRate rate, LogSource source, long lines) {
        if (rate.lose(source, lines)) {
            losers.add(rate);
        }
    }
}
