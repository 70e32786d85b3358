package svc.auth.hook;

import java.time.Duration;

/**
 * How long a hook may take.
 *
 * @param function of one that is a function of the project
 * @param call of one that is an HTTP call, all tries together
 */
public record HookLimits(Duration function, Duration call) {
    /** GoTrue's. */
    public static HookLimits defaults() {
        return new HookLimits(Duration.ofSeconds(2), Duration.ofSeconds(5));
    }
}
