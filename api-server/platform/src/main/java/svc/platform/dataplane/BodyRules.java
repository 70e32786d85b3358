package svc.platform.dataplane;

import java.time.Duration;
import svc.platform.config.ApiConfig;

/**
 * What is accepted of one body.
 *
 * @param limit in bytes
 * @param structured whether its structure is weighed: anything but files in a form
 * @param grace how long it may be slow at first
 * @param bytesPerSecond the least that must arrive after that, on the average
 */
public record BodyRules(long limit, boolean structured, Duration grace, long bytesPerSecond) {
    /** The rules of the installation for a body of a route. */
    public static BodyRules of(ApiConfig.Limits config, long limit, boolean structured) {
        return new BodyRules(
                limit, structured, config.bodyGrace(), config.bodyRate().asLongValue());
    }

    /** Whether so few bytes after so many milliseconds are too slow. */
    public boolean tooSlow(long received, long elapsedMillis) {
        long counted = elapsedMillis - grace.toMillis();
        return counted > 0 && received < bytesPerSecond * counted / 1_000;
    }
}
