package svc.functions;

import jakarta.enterprise.context.ApplicationScoped;

/** How time passes: never back, whatever is done to the machine's clock. */
@ApplicationScoped
public class MonotonicClock {
    /** Since some moment that is the same for all calls. */
    public long nanos() {
        return System.nanoTime();
    }
}
