package svc.functions;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Settings of function calls. */
@ConfigMapping(prefix = "svc.api.functions")
public interface InvocationConfig {
    /** The directory of the processes' sockets, if they run on this machine; on a cluster they have addresses. */
    Optional<Path> sockets();

    /** How long a call waits for a process to start. */
    @WithDefault("30s")
    Duration activationWait();

    /** Maximum calls of one function that wait for a process; further ones are answered 503. */
    @WithDefault("100")
    int activationQueue();

    /** Average concurrent calls per process above which another process is started. */
    @WithDefault("50")
    int concurrency();

    /** Maximum concurrent calls per process; further ones are answered 503. */
    @WithDefault("500")
    int maxConcurrent();

    /** Timeout without progress while a request body is sent. */
    @WithDefault("30s")
    Duration bodyTimeout();

    /** Interval of the check for idle functions. */
    @WithDefault("1s")
    Duration idleCheck();

    /** Whether this instance stops idle processes; several instances may. */
    @WithDefault("true")
    boolean scaling();
}
