package svc.management.project;

import com.google.re2j.Pattern;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import svc.crds.project.Project;
import svc.management.token.Principal;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetMetrics;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;

/**
 * Lets a call wait until a project is ready, by the watch and without polling. A waiting call holds a virtual thread and its
 * connection, so their number has a limit, in this process and for each organisation in it.
 */
@ApplicationScoped
class ReadyWait {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    private static final int MAX_WAITING = 500;
    private static final Limit OF_ORGANIZATION = new Limit.Fixed(50);
    private static final int DEFAULT_MS = 10_000;
    private static final int MAX_MS = 30_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Projects projects;
    private final ProjectWatch watch;
    private final Budget waiting = new Budget("ready-waits", MAX_WAITING);

    ReadyWait(Projects projects, ProjectWatch watch, MeterRegistry metrics) {
        this.projects = projects;
        this.watch = watch;
        BudgetMetrics.register(waiting, metrics);
    }

    /**
     * How long a call wants to wait; empty for one that does not.
     *
     * @param until the parameter {@code wait} as sent, null if it is absent
     * @param timeoutMs as sent, likewise
     * @throws ProblemException 400
     */
    static Optional<Duration> limit(String until, String timeoutMs) {
        if (until == null) {
            if (timeoutMs != null) {
                throw invalid("timeout_ms needs wait=ready.");
            }
            return Optional.empty();
        }
        if (!until.equals("ready")) {
            throw invalid("The parameter wait must be ready.");
        }
        return Optional.of(Duration.ofMillis(timeoutMs == null ? DEFAULT_MS : milliseconds(timeoutMs)));
    }

    private static int milliseconds(String text) {
        if (!NUMBER.matches(text) || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_MS) {
            throw invalid("The parameter timeout_ms is a number from 1 to " + MAX_MS + ".");
        }
        return Integer.parseInt(text);
    }

    private static ProblemException invalid(String detail) {
        return Problem.of(ProblemCode.INVALID_PARAMETER, detail).asException();
    }

    /**
     * The project as soon as it is ready in its current generation, or cannot become so by waiting; after the limit, as it is
     * then.
     *
     * @throws ProblemException 404; 429 when too many calls wait already
     */
    Project await(Principal by, String ref, Duration limit) {
        // From the Kubernetes API: the watch may not have seen the caller's own last change yet.
        Project current = projects.current(by, ref);
        Predicate<Project> settled =
                seen -> seen.getMetadata().getUid().equals(current.getMetadata().getUid())
                        && seen.getMetadata().getGeneration()
                                >= current.getMetadata().getGeneration()
                        && isSettled(seen);
        String namespace = current.getMetadata().getNamespace();
        String name = current.getMetadata().getName();
        // The data plane of this process serves what the watch has seen.
        if (settled.test(current) && watch.find(namespace, name).filter(settled).isPresent()) {
            return current;
        }
        try (Permit place =
                waiting.whole().part(by.organization(), OF_ORGANIZATION).open()) {
            if (place.grow(1) != Verdict.GRANTED) {
                throw tooMany();
            }
            return watch.await(namespace, name, settled, limit)
                    .orElseGet(() -> settled.test(current) ? current : projects.get(by, ref));
        }
    }

    private static boolean isSettled(Project project) {
        return project.isReady()
                || switch (ProjectState.of(project)) {
                    case INIT_FAILED, INACTIVE, GOING_DOWN -> true;
                    case COMING_UP, ACTIVE_HEALTHY, ACTIVE_UNHEALTHY, UNKNOWN, PAUSING, RESTORING -> false;
                };
    }

    private static ProblemException tooMany() {
        return Problem.of(ProblemCode.RATE_LIMITED, "Too many calls wait for projects to become ready.")
                .withHint("Call without wait, or again after the seconds in Retry-After.")
                .retryAfter(RETRY_AFTER)
                .asException();
    }
}
