package svc.postgres.flush;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.UUID;
import svc.postgres.Access;

/**
 * How long the main queries of all projects take. Only quick queries are batched, because the requests behind one wait for
 * it.
 *
 * <p>Callers choose the texts, and as many as they like. So no text is kept, only a digest of it, and a project has a
 * fixed number of places: a query takes the place of another one with the same remainder, never that of another project.
 * Two texts of one project may have the same digest; then one query of that project waits for another of it.
 */
final class QueryTimeCache {
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

    /** Some 150 bytes each. */
    static final int MAX_QUERIES = 20_000;

    static final int MAX_QUERIES_OF_PROJECT = 256;

    private static final Duration LATELY = Duration.ofMinutes(1);

    private final Cache<Place, Average> averages = Caffeine.newBuilder()
            .maximumSize(MAX_QUERIES)
            .expireAfterAccess(LATELY)
            .executor(Runnable::run)
            .build();

    private record Place(UUID project, int number) {
        static Place of(UUID project, String query) {
            return new Place(project, Math.floorMod(query.hashCode(), MAX_QUERIES_OF_PROJECT));
        }
    }

    /** A lost update of two threads is one value less in an average. */
    private static final class Average {
        private final long digest;
        private volatile long nanos;

        Average(long digest, long nanos) {
            this.digest = digest;
            this.nanos = nanos;
        }
    }

    boolean isQuick(UUID project, String query, Access access) {
        Average average = averages.getIfPresent(Place.of(project, query));
        long limit = access == Access.READ ? QUICK_READ_NANOS : QUICK_WRITE_NANOS;
        return average != null && average.digest == digest(query) && average.nanos < limit;
    }

    void took(UUID project, String query, long nanos) {
        Place place = Place.of(project, query);
        Average average = averages.getIfPresent(place);
        if (average == null || average.digest != digest(query)) {
            averages.put(place, new Average(digest(query), nanos));
        } else {
            long before = average.nanos;
            average.nanos = before + (nanos - before) / (nanos < before ? QUICKER : SLOWER);
        }
    }

    /** Number of measured queries. */
    long size() {
        averages.cleanUp();
        return averages.estimatedSize();
    }

    private static long digest(String query) {
        return (long) query.hashCode() << Integer.SIZE | query.length();
    }
}
