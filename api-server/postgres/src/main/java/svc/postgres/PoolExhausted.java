package svc.postgres;

import java.time.Duration;

/** No connection came free within the bounded wait: the caller should answer that the service is busy. */
public final class PoolExhausted extends RuntimeException {
    public PoolExhausted(Duration waited) {
        this("no database connection came free within " + waited.toMillis() + " ms");
    }

    private PoolExhausted(String message) {
        super(message);
    }

    /** The server holds its connections and answers nothing. */
    public static PoolExhausted silent() {
        return new PoolExhausted("the database server does not answer");
    }

    /** Too many callers of the project wait already. */
    public static PoolExhausted crowded(int waiting) {
        return new PoolExhausted(waiting + " requests of the project wait for a database connection already");
    }
}
