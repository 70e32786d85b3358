package svc.auth.hook;

import java.time.Duration;

/**
 * Timeouts of hooks.
 *
 * @param function of a hook that is a function of the project
 * @param call of a hook that is an HTTP call, over all attempts
 */
public record HookLimits(Duration function, Duration call) {
    /** GoTrue's. */
    public static HookLimits defaults() {
        return new HookLimits(Duration.ofSeconds(2), Duration.ofSeconds(5));
    }
}
