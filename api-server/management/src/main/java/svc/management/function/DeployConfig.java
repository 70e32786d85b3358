package svc.management.function;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The Management API's calls about functions. */
@ConfigMapping(prefix = "svc.api.functions")
public interface DeployConfig {
    /** How long a deploy waits for the new version to serve before it answers COMING_UP. */
    @WithDefault("30s")
    Duration readyWait();

    /**
     * Whether what a deploy needs is made ready when the control plane starts, so that the first one is quick: a bundler of
     * 150 MB, which goes when nobody uses it for ten minutes, and a connection to the store.
     */
    @WithDefault("true")
    boolean prewarm();

    /** How long a call that follows a log may last. */
    @WithDefault("10m")
    Duration followTime();

    /** Calls that follow logs at the same time; one more is refused. */
    @WithDefault("50")
    int followers();
}
