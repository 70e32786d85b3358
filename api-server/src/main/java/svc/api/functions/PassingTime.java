package svc.api.functions;

import jakarta.enterprise.context.ApplicationScoped;

/** How time passes: never back, whatever is done to the machine's clock. */
@ApplicationScoped
class PassingTime {
    /** Since some moment that is the same for all calls. */
    long nanos() {
        return System.nanoTime();
    }
}
