package svc.api.management.query;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The SQL endpoint's limits. */
@ConfigMapping(prefix = "svc.api.sql")
public interface QueryConfig {
    /** Calls a minute and project, over all instances. */
    @WithDefault("30")
    int perMinute();

    /** Longest run of a script. */
    @WithDefault("30s")
    Duration time();

    /** Most rows of an answer. */
    @WithDefault("10000")
    int rows();
}
