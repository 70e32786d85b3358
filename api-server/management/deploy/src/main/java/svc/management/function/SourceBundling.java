package svc.management.function;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import svc.crds.function.BundleStatus;
import svc.crds.function.EdgeFunction;
import svc.crds.function.SourceHash;
import svc.crds.project.Project;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ArtifactsUnavailableException;
import svc.management.function.bundle.BundleFault;
import svc.management.function.bundle.BundleResult;
import svc.management.function.bundle.FunctionBundler;
import svc.platform.budget.Account;
import svc.platform.budget.Lifetime;
import svc.platform.budget.SharedPlaces;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.budget.SharedPlaces.Division;
import svc.platform.budget.SharedPlaces.Limits;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.problem.ProblemException;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;

/**
 * Bundles functions whose code is in their manifest, and reports the result in {@code status.bundle}. An error in the
 * code is reported once and not retried until the code changes. Transient failures (an unreachable registry or store, a
 * full queue) are retried with exponential backoff. Two control planes may bundle the same code: the result is the
 * same, and optimistic locking keeps an older one from replacing a newer.
 */
@ApplicationScoped
class SourceBundling implements FunctionWatch.Listener, ProjectListener {
    private static final Logger LOG = Logger.getLogger(SourceBundling.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);
    private static final int MAX_MESSAGE_LENGTH = 8_000;
    private static final RetryPolicy WRITES = RetryPolicy.maxAttempts(10).retryOn(failure -> false);
    private static final String ENTRYPOINT = "index.ts";

    /** Of any number: each function of the cluster is in the line once. */
    private static final Limits ONE_AT_A_TIME =
            new Limits(1, 1, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final ProjectWatch projects;
    private final FunctionResources resources;
    private final BundleStatusWriter statuses;
    private final PreviewEnvironment environment;
    private final FunctionBundler bundler;
    private final ArtifactStore artifacts;
    private final boolean active;
    /** One at a time: deployments by the API come first and find a free bundler. Projects share its time. */
    private final SharedPlaces places = new SharedPlaces("manifests", ONE_AT_A_TIME, Division.BY_TIME);

    private final ExecutorService workers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("source-bundling-", 0).factory());
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("source-bundling").factory());

    /**
     * The latest attempt of each function, by uid, while it is scheduled or waits for its turn; removed before the work
     * starts, so that a later change schedules its own.
     */
    private final ConcurrentMap<String, Lifetime> attempts = new ConcurrentHashMap<>();

    /** Functions with a transient failure, by uid: the next backoff. */
    private final Map<String, Duration> pauses = new ConcurrentHashMap<>();
    /** Functions without their project, by uid. */
    private final Map<String, EdgeFunction> orphans = new ConcurrentHashMap<>();

    SourceBundling(
            ProjectWatch projects,
            FunctionResources resources,
            BundleStatusWriter statuses,
            PreviewEnvironment environment,
            FunctionBundler bundler,
            ArtifactStore artifacts,
            ApiConfig config) {
        this.projects = projects;
        this.resources = resources;
        this.statuses = statuses;
        this.environment = environment;
        this.bundler = bundler;
        this.artifacts = artifacts;
        this.active = config.roles().contains(ServerRole.CONTROL);
    }

    @Override
    public void seen(EdgeFunction before, EdgeFunction function) {
        if (!needsBundle(function)) {
            forget(function);
        } else if (before == null || isOther(before, function) || !needsBundle(before)) {
            // Not for status changes, which a failure causes itself.
            enqueue(function, Duration.ZERO);
        }
    }

    @Override
    public void gone(EdgeFunction function) {
        forget(function);
    }

    /** A project was created or became ready: its functions have waited for it. */
    @Override
    public void seen(Project project) {
        if (orphans.isEmpty() || ClaimedProject.of(project).isEmpty()) {
            return;
        }
        for (EdgeFunction orphan : new HashSet<>(orphans.values())) {
            if (orphan.getMetadata().getNamespace().equals(project.getMetadata().getNamespace())
                    && orphan.getSpec()
                            .projectRef()
                            .name()
                            .equals(project.getMetadata().getName())) {
                enqueue(orphan, Duration.ZERO);
            }
        }
    }

    @Override
    public void gone(Project project) {}

    private static boolean isOther(EdgeFunction before, EdgeFunction now) {
        return !before.getMetadata().getGeneration().equals(now.getMetadata().getGeneration());
    }

    private static boolean needsBundle(EdgeFunction function) {
        if (function.getSpec().source() == null || function.isMarkedForDeletion()) {
            return false;
        }
        BundleStatus bundle =
                function.getStatus() == null ? null : function.getStatus().bundle();
        return bundle == null || !bundle.isOf(SourceHash.of(function.getSpec()));
    }

    private void forget(EdgeFunction function) {
        Optional.ofNullable(attempts.remove(function.getMetadata().getUid())).ifPresent(Lifetime::close);
        pauses.remove(function.getMetadata().getUid());
        orphans.remove(function.getMetadata().getUid());
    }

    private void enqueue(EdgeFunction function, Duration pause) {
        if (!active) {
            return;
        }
        var attempt = new Lifetime();
        // A later attempt replaces the earlier one, perhaps with a shorter backoff.
        Optional.ofNullable(attempts.put(function.getMetadata().getUid(), attempt))
                .ifPresent(Lifetime::close);
        Future<?> unused = clock.schedule(() -> awaitTurn(function, attempt), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void awaitTurn(EdgeFunction function, Lifetime attempt) {
        places.request(
                caller(function),
                attempt,
                Account.UNTIL_GIVEN_UP,
                Runnable::run,
                turn -> workers.execute(() -> run(function, attempt)));
    }

    private Caller caller(EdgeFunction function) {
        String namespace = function.getMetadata().getNamespace();
        return projects.find(namespace, function.getSpec().projectRef().name())
                .flatMap(ClaimedProject::of)
                .map(ClaimedProject::caller)
                .orElseGet(() -> new Caller("", namespace));
    }

    private void run(EdgeFunction function, Lifetime attempt) {
        try (attempt) {
            if (attempts.remove(function.getMetadata().getUid(), attempt)) {
                run(function);
            }
        }
    }

    private void run(EdgeFunction seen) {
        String uid = seen.getMetadata().getUid();
        Optional<String> passing;
        try {
            passing = resources.find(seen).filter(SourceBundling::needsBundle).flatMap(this::bundle);
        } catch (ArtifactsUnavailableException | ProblemException | KubernetesClientException e) {
            passing = Optional.of(e.getMessage());
        } catch (RuntimeException e) {
            LOG.errorf(
                    e, "failed to bundle the function %s", FunctionId.of(seen).text());
            passing = Optional.of("The platform failed to bundle the function.");
        }
        if (passing.isEmpty()) {
            pauses.remove(uid);
            return;
        }
        Duration pause =
                pauses.merge(uid, FIRST_PAUSE, (before, first) -> shorter(before.multipliedBy(2), MAX_BACKOFF));
        LOG.infof(
                "retrying to bundle the function %s in %s: %s",
                FunctionId.of(seen).text(), pause, passing.get());
        enqueue(seen, pause);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** @return the transient failure that prevents bundling now; empty if nothing is left to do */
    private Optional<String> bundle(EdgeFunction function) {
        Optional<ClaimedProject> claimed = projects.find(
                        function.getMetadata().getNamespace(),
                        function.getSpec().projectRef().name())
                .flatMap(ClaimedProject::of);
        if (claimed.isEmpty()) {
            orphans.put(function.getMetadata().getUid(), function);
            return Optional.empty();
        }
        orphans.remove(function.getMetadata().getUid());
        FunctionSource source;
        try {
            source = source(function);
        } catch (ProblemException e) {
            return report(function, e.problem().detail());
        }
        return switch (bundler.bundle(
                claimed.get().caller(), source.request(), environment.of(claimed.get(), source.name()))) {
            case BundleResult.Bundled bundled -> {
                String hash = artifacts
                        .put(claimed.get().projectId(), source.archive(bundled).bytes())
                        .toString();
                yield write(function, new BundleStatus(SourceHash.of(function.getSpec()), hash, null));
            }
            case BundleResult.Refused refused
            when refused.isPassing() -> {
                write(function, new BundleStatus(null, null, message(refused) + " The platform retries."));
                yield Optional.of(message(refused));
            }
            case BundleResult.Refused refused -> report(function, message(refused));
            case BundleResult.Busy unused -> Optional.of("the bundler is busy");
        };
    }

    private static FunctionSource source(EdgeFunction function) {
        return FunctionSource.of(
                function.getSpec().name(),
                Optional.of(ENTRYPOINT),
                function.getSpec().source(),
                function.getSpec().files(),
                Optional.ofNullable(function.getSpec().importMap()));
    }

    private static String message(BundleResult.Refused refused) {
        return refused.faults().stream().map(BundleFault::text).collect(Collectors.joining("\n"));
    }

    private Optional<String> report(EdgeFunction function, String message) {
        String cut = message.length() <= MAX_MESSAGE_LENGTH ? message : message.substring(0, MAX_MESSAGE_LENGTH) + " …";
        return write(function, new BundleStatus(SourceHash.of(function.getSpec()), null, cut));
    }

    /** Retries on the current resource: the operator writes its part of the status concurrently. */
    private Optional<String> write(EdgeFunction bundled, BundleStatus bundle) {
        try {
            boolean done = WRITES.callUntil(() -> writeOnce(bundled, bundle), written -> written);
            return done ? Optional.empty() : Optional.of("its status was changed concurrently on every attempt");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("this instance stops");
        }
    }

    /** False after a conflict with another writer. */
    private boolean writeOnce(EdgeFunction bundled, BundleStatus bundle) {
        Optional<EdgeFunction> current = resources.find(bundled).filter(function -> hasSameSource(function, bundled));
        return current.isEmpty() || statuses.write(current.get(), bundle);
    }

    private static boolean hasSameSource(EdgeFunction function, EdgeFunction other) {
        return function.getSpec().source() != null
                && SourceHash.of(function.getSpec()).equals(SourceHash.of(other.getSpec()));
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
        attempts.values().forEach(Lifetime::close);
        workers.shutdownNow();
    }
}
