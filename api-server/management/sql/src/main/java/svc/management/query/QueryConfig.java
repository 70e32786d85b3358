package svc.management.query;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Limits of the SQL endpoint. */
@ConfigMapping(prefix = "svc.api.sql")
public interface QueryConfig {
    /** Calls per minute and project, over all instances. */
    @WithDefault("30")
    int perMinute();

    /** The same of migrations, branches and realtime tables. */
    @WithDefault("60")
    int migrationsPerMinute();

    /** Default timeout of a script. */
    @WithDefault("30s")
    Duration timeout();

    /** Maximum of {@code timeout_seconds}. */
    @WithDefault("5m")
    Duration maxTimeout();

    /** Maximum number of scripts of all projects at the same time on this instance; each has a connection of its own. */
    @WithDefault("48")
    int sessions();

    /** Maximum number of rows in a response. */
    @WithDefault("10000")
    int rows();
}
