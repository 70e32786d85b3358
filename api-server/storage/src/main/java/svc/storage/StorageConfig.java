package svc.storage;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.OptionalInt;

/** Settings of the service, with their defaults. */
@ConfigMapping(prefix = "svc.storage")
public interface StorageConfig {
    /** Connections to S3 of this process, which projects share. */
    @WithDefault("64")
    int connections();

    /** Longest that one call of S3 may take: a part of a file, not a file. */
    @WithDefault("60s")
    Duration callTimeout();

    /** Memory for small files that were read lately, beside that of requests; a project may have a quarter. 0 is none. */
    @WithDefault("16M")
    MemorySize cache();

    Sweep sweep();

    Images images();

    /** Transformation of images, by processes beside this one. */
    interface Images {
        /** Images that are transformed at the same time; all processors but one by default, and none with 0. */
        OptionalInt workers();

        /** Whether a process is kept ready for the project whose image comes next. */
        @WithDefault("true")
        boolean spare();

        /** Images of a project that are transformed in a minute, over all instances. Those that are cached do not count. */
        @WithDefault("300")
        int rate();

        /** Connections to S3 for cached images, which projects share. */
        @WithDefault("32")
        int connections();
    }

    /** Deletes bytes that no file has. */
    interface Sweep {
        @WithDefault("6h")
        Duration interval();

        /** Bytes that are younger are left: their upload may not have ended. */
        @WithDefault("1h")
        Duration grace();
    }
}
