package svc.management.function.bundle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.platform.budget.Budget;
import svc.platform.budget.Permit;
import svc.platform.budget.SharedPlaces;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.budget.SharedPlaces.Division;
import svc.platform.budget.SharedPlaces.Work;
import svc.platform.process.KillReason;
import svc.platform.process.PoolSettings;
import svc.platform.process.ProcessLease;
import svc.platform.process.ProcessLimits;
import svc.platform.process.ProcessOutcome;
import svc.platform.process.ProcessPool;
import svc.platform.process.SandboxHome;

/**
 * Bundles functions in a few processes that are kept while they are used, because starting one takes a second. A
 * function that hangs or crashes its process affects no other.
 */
final class BundlerPool implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(BundlerPool.class);

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration MAX_IDLE = Duration.ofMinutes(10);
    private static final long RESIDENT_BYTES = 1L << 30;
    /** A process that holds more after an answer is not used again: the compiler's memory never shrinks. */
    private static final long RECYCLE_BYTES = 448L << 20;

    /** The largest module that is made. */
    static final int BUNDLE_BYTES = 20 << 20;

    private final SharedPlaces turns;
    private final ProcessPool<BundlerProcess> processes;
    private final Duration limit;

    BundlerPool(Supplier<SandboxHome> home, RegistryPolicy policy, BundleConfig config) {
        this.limit = config.bundleTime();
        this.turns = turns("bundlers", config);
        var settings = new PoolSettings(
                "bundler",
                config.bundlers(),
                limit,
                new ProcessLimits(START_LIMIT, RESIDENT_BYTES),
                RECYCLE_BYTES,
                Optional.of(MAX_IDLE));
        this.processes = new ProcessPool<>(settings, scratch -> BundlerProcess.launch(home.get(), policy, scratch));
    }

    /** Blocks until it is the project's turn, which comes when what runs now has ended; {@link BundleResult.Busy} when too many of its calls wait, or it comes too late. */
    BundleResult bundle(Caller caller, BundleRequest request) {
        try {
            return turns.acquire(caller, Work.SHORT, limit.multipliedBy(2))
                    .map(turn -> bundle(turn, request))
                    .orElseGet(BundleResult.Busy::new);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new BundleResult.Busy();
        }
    }

    private BundleResult bundle(Permit turn, BundleRequest request) {
        try (turn) {
            Optional<ProcessLease<BundlerProcess>> lease = processes.acquire();
            if (lease.isEmpty()) {
                return new BundleResult.Busy();
            }
            try {
                return bundle(lease.get(), request);
            } finally {
                lease.get().release();
            }
        }
    }

    /** How projects share the bundlers, and in the same way first starts. */
    static SharedPlaces turns(String kind, BundleConfig config) {
        return new SharedPlaces(
                kind, SharedPlaces.Limits.of(config.bundlers(), config.queue()), Division.BY_TIME_LEAVING_ONE);
    }

    /** For metrics. */
    Budget turns() {
        return turns.budget();
    }

    private BundleResult bundle(ProcessLease<BundlerProcess> lease, BundleRequest request) {
        ProcessOutcome<BundleResult> outcome = once(lease, request);
        if (outcome instanceof ProcessOutcome.Failed<BundleResult> failed
                && failed.killedFor().isEmpty()) {
            // It may have ended before it was asked.
            outcome = once(lease, request);
        }
        return switch (outcome) {
            case ProcessOutcome.Completed<BundleResult> completed -> completed.answer();
            case ProcessOutcome.Failed<BundleResult> failed ->
                new BundleResult.Refused(List.of(costly(failed.killedFor())));
            case ProcessOutcome.NotStarted<BundleResult> notStarted -> throw unstartable(notStarted.cause());
        };
    }

    private ProcessOutcome<BundleResult> once(ProcessLease<BundlerProcess> lease, BundleRequest request) {
        ProcessOutcome<BundleResult> outcome = lease.run(
                new ProcessLimits(limit, RESIDENT_BYTES),
                process -> BundlerResponse.read(process.exchange(job(request))));
        if (outcome instanceof ProcessOutcome.Failed<BundleResult> failed) {
            LOG.debugf(failed.cause(), "a bundler ended while it worked on %s %s", request.name(), failed.killedFor());
        }
        return outcome;
    }

    private static RuntimeException unstartable(Exception cause) {
        return cause instanceof IOException e
                ? new UncheckedIOException("while starting a bundler", e)
                : (RuntimeException) cause;
    }

    private BundleFault costly(Optional<KillReason> killedFor) {
        boolean late = killedFor.filter(KillReason.WALL_TIME::equals).isPresent();
        String message = late
                ? "Bundling took longer than " + limit.toSeconds() + " seconds."
                : "Bundling took more memory than a function is given.";
        return BundleFault.of(BundleFault.Kind.TOO_COSTLY, message);
    }

    /** Ends processes that were not used for a while. */
    void closeIdle() {
        processes.closeIdle();
    }

    private static Map<String, Object> job(BundleRequest request) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("name", request.name());
        job.put("entrypoint", request.entrypoint());
        job.put("source", request.source());
        job.put(
                "files",
                request.files().entrySet().stream()
                        .map(file -> List.of(file.getKey(), file.getValue()))
                        .toList());
        job.put("importMap", request.importMap().orElse(null));
        job.put("limit", BUNDLE_BYTES);
        return job;
    }

    @Override
    public void close() {
        processes.close();
    }
}
