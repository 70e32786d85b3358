package svc.postgres.flush;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import svc.postgres.Access;

/**
 * How long main queries take. Only quick queries are batched, because the requests behind one wait for it. A query
 * without a recent measurement is not quick.
 */
final class QueryTimes {
    /** A moving average over this is not quick. */
    private static final long QUICK_READ_NANOS = 4_000_000L;

    /**
     * A write that goes alone waits for the disk, and for the others that do so beside it: the busier the server is, the
     * more do they gain when they go together.
     */
    private static final long QUICK_WRITE_NANOS = 16_000_000L;

    /** A quick one counts for more than a slow one: the first of all prepares its statement, and machines pause. */
    private static final int QUICKER = 2;

    private static final int SLOWER = 8;
    private static final int MAX_QUERIES = 20_000;
    private static final Duration LATELY = Duration.ofMinutes(1);

    private final Cache<String, Average> averages = Caffeine.newBuilder()
            .maximumSize(MAX_QUERIES)
            .expireAfterAccess(LATELY)
            .executor(Runnable::run)
            .build();

    /** A lost update of two threads is one value less in an average. */
    private static final class Average {
        private volatile long nanos;

        Average(long nanos) {
            this.nanos = nanos;
        }
    }

    boolean isQuick(String query, Access access) {
        Average average = averages.getIfPresent(query);
        long limit = access == Access.READ ? QUICK_READ_NANOS : QUICK_WRITE_NANOS;
        return average != null && average.nanos < limit;
    }

    void took(String query, long nanos) {
        Average average = averages.getIfPresent(query);
        if (average == null) {
            averages.put(query, new Average(nanos));
        } else {
            long before = average.nanos;
            average.nanos = before + (nanos - before) / (nanos < before ? QUICKER : SLOWER);
        }
    }
}
