package svc.postgres;

import java.time.Duration;

/** No connection came free within the bounded wait: the caller should answer that the service is busy. */
public final class PoolExhausted extends RuntimeException {
    public PoolExhausted(Duration waited) {
        super("no database connection came free within " + waited.toMillis() + " ms");
    }
}
