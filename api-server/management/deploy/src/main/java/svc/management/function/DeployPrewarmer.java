package svc.management.function;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ContentHash;
import svc.management.function.bundle.BundleRequest;
import svc.management.function.bundle.FunctionBundler;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;

/**
 * Starts at boot what the first deployment would otherwise wait for. A failure is only logged; deployments report their
 * own.
 */
@ApplicationScoped
class DeployPrewarmer {
    private static final Logger LOG = Logger.getLogger(DeployPrewarmer.class);
    private static final UUID NO_PROJECT = new UUID(0, 0);
    private static final Caller PLATFORM = new Caller("", "");
    private static final BundleRequest EMPTY_FUNCTION = new BundleRequest(
            "nothing", "index.ts", "export default () => new Response();", Map.of(), Optional.empty());

    private final FunctionBundler bundler;
    private final ArtifactStore artifacts;
    private final boolean wanted;

    DeployPrewarmer(FunctionBundler bundler, ArtifactStore artifacts, DeployConfig config, ApiConfig api) {
        this.bundler = bundler;
        this.artifacts = artifacts;
        this.wanted = config.prewarm() && api.roles().contains(ServerRole.CONTROL);
    }

    void start(@Observes StartupEvent event) {
        if (wanted) {
            Thread.ofPlatform().daemon().name("deploy-prewarm").start(() -> {
                prepare("bundled", () -> bundler.bundle(PLATFORM, EMPTY_FUNCTION, Map.of()));
                prepare("stored", () -> artifacts.contains(NO_PROJECT, ContentHash.of(new byte[0])));
            });
        }
    }

    private static void prepare(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.warnf("prewarming of deployments failed, functions cannot be %s: %s", what, e.getMessage());
        }
    }
}
