package svc.realtime;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The settings of the realtime service, with their defaults. */
@ConfigMapping(prefix = "svc.realtime")
public interface RealtimeConfig {
    /** A socket whose client sends nothing for so long is closed; realtime-js sends a heartbeat every 25 s. */
    @WithDefault("60s")
    Duration idle();

    /** The largest message of a client; a larger one closes its socket. */
    @WithDefault("5M")
    MemorySize maxMessage();

    /** Bytes that may wait for a client that does not read; with more of them it is dropped. */
    @WithDefault("4M")
    MemorySize sendQueue();

    /** Over so much time the sockets of a process that stops are closed, so that clients do not all come back at once. */
    @WithDefault("3s")
    Duration drain();

    /** How long messages of {@code realtime.messages} are kept. */
    @WithDefault("72h")
    Duration retention();
}
