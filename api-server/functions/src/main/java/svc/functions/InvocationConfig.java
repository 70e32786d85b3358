package svc.functions;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** How functions are called. */
@ConfigMapping(prefix = "svc.api.functions")
public interface InvocationConfig {
    /** The folder of the processes' sockets, where they run on this machine; on a cluster they have addresses. */
    Optional<Path> sockets();

    /** How long a call waits for a process to start. */
    @WithDefault("30s")
    Duration activationWait();

    /** Calls of one function that wait for a process at most; one more is 503. */
    @WithDefault("100")
    int activationQueue();

    /** Calls at once in each process, on average, above which one more process is started. */
    @WithDefault("50")
    int concurrency();

    /** Calls at once in each process at most; one more is 503. */
    @WithDefault("500")
    int maxConcurrent();

    /** How long the two sides of a call may be silent while a request's body is sent. */
    @WithDefault("30s")
    Duration bodyTimeout();

    /** How often idle functions are looked for. */
    @WithDefault("1s")
    Duration idleCheck();

    /** Whether this instance stops idle processes; every one may. */
    @WithDefault("true")
    boolean scaling();
}
