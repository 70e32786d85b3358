package svc.management.function;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of function deployment and logs. */
@ConfigMapping(prefix = "svc.api.functions")
public interface DeployConfig {
    /** How long a deployment waits for the new version to become active before it answers COMING_UP. */
    @WithDefault("30s")
    Duration readyWait();

    /**
     * Whether to prewarm deployments at the start of the control plane: a bundler of 150 MB, which stops after ten idle
     * minutes, and a connection to the archive store.
     */
    @WithDefault("true")
    boolean prewarm();

    /** Maximum duration of a call that follows a log. */
    @WithDefault("10m")
    Duration followTime();

    /** Maximum number of concurrent calls that follow logs. */
    @WithDefault("50")
    int followers();
}
