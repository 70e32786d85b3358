package svc.functions;

import jakarta.enterprise.context.ApplicationScoped;

/** A clock that never goes back, whatever happens to the machine's time; tests replace it. */
@ApplicationScoped
public class MonotonicClock {
    /** Nanoseconds since an arbitrary origin that is the same for all calls. */
    public long nanos() {
        return System.nanoTime();
    }
}
