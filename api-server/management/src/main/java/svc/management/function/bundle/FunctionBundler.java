package svc.management.function.bundle;

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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import svc.platform.process.SandboxHome;

/** The one way from a source to code that runs, for the deploy call and for manifests alike. */
@ApplicationScoped
public class FunctionBundler {
    private static final Duration LOOK_FOR_IDLE = Duration.ofMinutes(1);

    private final BundleConfig config;
    private final Optional<Path> configuredHome;
    private final BundlerPool pool;
    private final DryBoot firstStart;
    private final Semaphore boots;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("idle-bundlers").factory());
    private final ScheduledFuture<?> dropping;

    FunctionBundler(BundleConfig config, @ConfigProperty(name = SandboxHome.SETTING) Optional<String> home) {
        this.config = config;
        this.configuredHome = home.map(Path::of);
        this.pool = new BundlerPool(this::home, RegistryPolicy.of(config), config);
        this.firstStart = new DryBoot(this::home, config.bootTime());
        this.boots = new Semaphore(config.bundlers(), true);
        this.dropping = clock.scheduleWithFixedDelay(
                pool::closeIdle, LOOK_FOR_IDLE.toSeconds(), LOOK_FOR_IDLE.toSeconds(), TimeUnit.SECONDS);
    }

    private SandboxHome home() {
        return SandboxHome.find(configuredHome);
    }

    /**
     * Bundles a function and starts it once. Blocks; waits for others, and says so when they are too many.
     *
     * @param environment what the function will find in its environment
     */
    public BundleResult bundle(BundleRequest request, Map<String, String> environment) {
        BundleResult result = pool.bundle(request);
        if (!(result instanceof BundleResult.Bundled bundled)) {
            return result;
        }
        return boot(request.name(), bundled, environment);
    }

    private BundleResult boot(String name, BundleResult.Bundled bundled, Map<String, String> environment) {
        try {
            if (!boots.tryAcquire(config.bundleTime().toMillis(), TimeUnit.MILLISECONDS)) {
                return new BundleResult.Busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new BundleResult.Busy();
        }
        try {
            Optional<BundleFault> fault = firstStart.attempt(name, bundled.code(), environment);
            return fault.map(bundled.origins()::traced)
                    .<BundleResult>map(why -> new BundleResult.Refused(List.of(why)))
                    .orElse(bundled);
        } finally {
            boots.release();
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
