package svc.management.function.bundle;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import svc.platform.budget.BudgetMetrics;
import svc.platform.budget.Permit;
import svc.platform.budget.SharedPlaces;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.budget.SharedPlaces.Work;
import svc.platform.process.SandboxHome;

/** The one way from a source to code that runs, for the deploy call and for manifests alike. */
@ApplicationScoped
public class FunctionBundler {
    private static final Duration LOOK_FOR_IDLE = Duration.ofMinutes(1);

    private final BundleConfig config;
    private final Optional<Path> configuredHome;
    private final BundlerPool pool;
    private final DryBoot firstStart;
    private final SharedPlaces starts;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("idle-bundlers").factory());
    private final ScheduledFuture<?> dropping;

    FunctionBundler(
            BundleConfig config,
            @ConfigProperty(name = SandboxHome.SETTING) Optional<String> home,
            MeterRegistry metrics) {
        this.config = config;
        this.configuredHome = home.map(Path::of);
        this.pool = new BundlerPool(this::home, RegistryPolicy.of(config), config);
        this.firstStart = new DryBoot(this::home, config.bootTime());
        this.starts = BundlerPool.turns("first-starts", config);
        BudgetMetrics.register(pool.turns(), metrics);
        BudgetMetrics.register(starts.budget(), metrics);
        this.dropping = clock.scheduleWithFixedDelay(
                pool::closeIdle, LOOK_FOR_IDLE.toSeconds(), LOOK_FOR_IDLE.toSeconds(), TimeUnit.SECONDS);
    }

    private SandboxHome home() {
        return SandboxHome.find(configuredHome);
    }

    /**
     * Bundles a function and starts it once. Blocks; waits for others, and says so when they are too many.
     *
     * @param caller the project: others wait for it, and it waits for them
     * @param environment what the function will find in its environment
     */
    public BundleResult bundle(Caller caller, BundleRequest request, Map<String, String> environment) {
        BundleResult result = pool.bundle(caller, request);
        if (!(result instanceof BundleResult.Bundled bundled)) {
            return result;
        }
        return boot(caller, request.name(), bundled, environment);
    }

    private BundleResult boot(
            Caller caller, String name, BundleResult.Bundled bundled, Map<String, String> environment) {
        try {
            return starts.acquire(caller, Work.SHORT, config.bundleTime().multipliedBy(2))
                    .map(turn -> boot(turn, name, bundled, environment))
                    .orElseGet(BundleResult.Busy::new);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new BundleResult.Busy();
        }
    }

    private BundleResult boot(Permit turn, String name, BundleResult.Bundled bundled, Map<String, String> environment) {
        try (turn) {
            Optional<BundleFault> fault = firstStart.attempt(name, bundled.code(), environment);
            return fault.map(bundled.origins()::traced)
                    .<BundleResult>map(why -> new BundleResult.Refused(List.of(why)))
                    .orElse(bundled);
        }
    }

    @PreDestroy
    void close() {
        dropping.cancel(false);
        clock.shutdownNow();
        pool.close();
        firstStart.close();
    }
}
