package svc.management.query;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The SQL endpoint's limits. */
@ConfigMapping(prefix = "svc.api.sql")
public interface QueryConfig {
    /** Calls a minute and project, over all instances. */
    @WithDefault("30")
    int perMinute();

    /** Longest run of a script that does not say for how long it may run. */
    @WithDefault("30s")
    Duration time();

    /** The most that a call may ask for with {@code timeout_seconds}. */
    @WithDefault("5m")
    Duration longestTime();

    /** Most rows of an answer. */
    @WithDefault("10000")
    int rows();
}
