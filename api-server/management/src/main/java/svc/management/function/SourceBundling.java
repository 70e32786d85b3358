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
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.problem.ProblemException;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;

/**
 * Bundles functions whose code stands in their manifest, and says in {@code status.bundle} what became of it. A fault of
 * the code is told once and not tried again before the code changes. What passes (a registry or the store that is away, a
 * queue that is full) is tried again at longer and longer intervals. Two control planes may do the same work: the result
 * is the same, and the resource's version keeps an older one from replacing a newer.
 */
@ApplicationScoped
class SourceBundling implements FunctionWatch.Listener, ProjectListener {
    private static final Logger LOG = Logger.getLogger(SourceBundling.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final int LONGEST_MESSAGE = 8_000;
    private static final RetryPolicy WRITES = RetryPolicy.maxAttempts(10).retryOn(failure -> false);
    private static final String ENTRYPOINT = "index.ts";

    private final ProjectWatch projects;
    private final FunctionResources resources;
    private final BundleStatusWriter statuses;
    private final FunctionEnvironment environment;
    private final FunctionBundler bundler;
    private final ArtifactStore artifacts;
    private final boolean active;
    /** One at a time: calls of the API come first, and find a bundler free. */
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("source-bundling").factory());

    /** Which turn of a function counts, by uid; it is taken away before the look, so that a change behind it has its own. */
    private final ConcurrentMap<String, Long> turns = new ConcurrentHashMap<>();

    private final AtomicLong sequence = new AtomicLong();
    /** Functions that failed for something that passes, by uid: how long the next pause is. */
    private final Map<String, Duration> pauses = new ConcurrentHashMap<>();
    /** Functions without their project, by uid. */
    private final Map<String, EdgeFunction> orphans = new ConcurrentHashMap<>();

    SourceBundling(
            ProjectWatch projects,
            FunctionResources resources,
            BundleStatusWriter statuses,
            FunctionEnvironment environment,
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
            // Not for each change of its status, which a failure writes itself.
            enqueue(function, Duration.ZERO);
        }
    }

    @Override
    public void gone(EdgeFunction function) {
        forget(function);
    }

    /** A project that has come, or come up: its functions have waited for it. */
    @Override
    public void seen(Project project) {
        if (orphans.isEmpty() || LiveProject.of(project).isEmpty()) {
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
        turns.remove(function.getMetadata().getUid());
        pauses.remove(function.getMetadata().getUid());
        orphans.remove(function.getMetadata().getUid());
    }

    private void enqueue(EdgeFunction function, Duration pause) {
        if (!active) {
            return;
        }
        String uid = function.getMetadata().getUid();
        long turn = sequence.incrementAndGet();
        turns.put(uid, turn);
        Future<?> unused = worker.schedule(
                () -> {
                    // A later call took its place, one with a shorter pause perhaps.
                    if (turns.remove(uid, turn)) {
                        run(function);
                    }
                },
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
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
                    e,
                    "bundling of the function %s failed",
                    FunctionKey.of(seen).text());
            passing = Optional.of("The platform failed while it bundled the function.");
        }
        if (passing.isEmpty()) {
            pauses.remove(uid);
            return;
        }
        Duration pause =
                pauses.merge(uid, FIRST_PAUSE, (before, first) -> shorter(before.multipliedBy(2), LONGEST_PAUSE));
        LOG.infof(
                "the function %s is bundled again in %s: %s",
                FunctionKey.of(seen).text(), pause, passing.get());
        enqueue(seen, pause);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** @return what keeps it from being bundled now; empty when there is nothing more to do */
    private Optional<String> bundle(EdgeFunction function) {
        Optional<LiveProject> live = projects.find(
                        function.getMetadata().getNamespace(),
                        function.getSpec().projectRef().name())
                .flatMap(LiveProject::of);
        if (live.isEmpty()) {
            orphans.put(function.getMetadata().getUid(), function);
            return Optional.empty();
        }
        orphans.remove(function.getMetadata().getUid());
        FunctionSource source;
        try {
            source = source(function);
        } catch (ProblemException e) {
            return tell(function, e.problem().detail());
        }
        return switch (bundler.bundle(source.request(), environment.of(live.get(), source.name()))) {
            case BundleResult.Bundled bundled -> {
                String hash = artifacts
                        .put(
                                live.get().projectId(),
                                source.archive(bundled.code()).bytes())
                        .toString();
                yield write(function, new BundleStatus(SourceHash.of(function.getSpec()), hash, null));
            }
            case BundleResult.Refused refused
            when refused.isPassing() -> {
                write(function, new BundleStatus(null, null, message(refused) + " It is tried again."));
                yield Optional.of(message(refused));
            }
            case BundleResult.Refused refused -> tell(function, message(refused));
            case BundleResult.Busy unused -> Optional.of("others are before it");
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

    private Optional<String> tell(EdgeFunction function, String message) {
        String cut = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + " …";
        return write(function, new BundleStatus(SourceHash.of(function.getSpec()), null, cut));
    }

    /** Onto the resource as it is: the operator writes its part of the status all the while. */
    private Optional<String> write(EdgeFunction bundled, BundleStatus bundle) {
        try {
            boolean done = WRITES.callUntil(() -> writeOnce(bundled, bundle), written -> written);
            return done ? Optional.empty() : Optional.of("its status is being changed by others all the time");
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
        worker.shutdownNow();
    }
}
