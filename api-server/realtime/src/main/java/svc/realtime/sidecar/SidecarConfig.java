package svc.realtime.sidecar;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the data plane uses the realtime sidecars of projects with a dedicated database. */
@ConfigMapping(prefix = "svc.realtime.sidecar")
public interface SidecarConfig {
    /** How long a socket waits for a sidecar that is started for it. */
    @WithDefault("30s")
    Duration startWait();

    /** Sockets of one project that wait for its sidecar in this process; further ones are answered 503. */
    @WithDefault("500")
    int waiting();

    /** How long a sidecar stays that no socket is connected to. */
    @WithDefault("5m")
    Duration idle();

    /** Interval of the check for idle sidecars. */
    @WithDefault("5s")
    Duration idleCheck();

    /** Whether sidecars listen on the loopback interface of this machine; on a cluster no pod does. */
    @WithDefault("false")
    boolean loopback();
}
