package svc.storage;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of the service, with their defaults. */
@ConfigMapping(prefix = "svc.storage")
public interface StorageConfig {
    /** Connections to S3 of this process, which projects share. */
    @WithDefault("64")
    int connections();

    /** Longest that one call of S3 may take: a part of a file, not a file. */
    @WithDefault("60s")
    Duration callTimeout();

    Sweep sweep();

    /** Deletes bytes that no file has. */
    interface Sweep {
        @WithDefault("6h")
        Duration interval();

        /** Bytes that are younger are left: their upload may not have ended. */
        @WithDefault("1h")
        Duration grace();
    }
}
