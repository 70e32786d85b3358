package svc.platform.loop;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A task that held an event loop for too long.
 *
 * @param what the route and the project, never a value of the request; what is known of a task that belongs to no request
 * @param nanos how long
 * @param frame the platform's own code that ran, if a sample was taken
 */
public record SlowTask(String loop, String what, long nanos, Optional<String> frame) {
    /** Of the log. */
    @Override
    public String toString() {
        return "The event loop " + loop + " was held for " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms by " + what
                + frame.map(at -> ", at " + at).orElse("") + ". Other requests on it waited.";
    }
}
