package svc.graphql.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;

/**
 * A cache of all projects, bounded by its heap size. While there is room, a project may have all of it; when the cache is
 * nearly full, a project that has more than its share loses its own entries, not those of others.
 *
 * @param <K> has the project in it
 */
public final class SharedCache<K, V> {
    /** Of the whole, what one project may have: a quarter. */
    private static final int SHARES = 4;

    private static final Duration NEVER = Duration.ofDays(10_000);

    private final Cache<K, V> entries;
    private final Map<Object, Long> used = new ConcurrentHashMap<>();
    private final Function<K, Object> project;
    private final ToIntBiFunction<K, V> weigher;
    private final long share;
    private final long nearlyFull;
    private final AtomicLong total = new AtomicLong();

    /**
     * @param maxBytes of all entries
     * @param project of a key
     * @param weigher estimates the heap size of an entry in bytes
     */
    public SharedCache(long maxBytes, Function<K, Object> project, ToIntBiFunction<K, V> weigher) {
        this(maxBytes, project, weigher, NEVER);
    }

    /** @param idle how long an entry is kept that is not used */
    public SharedCache(long maxBytes, Function<K, Object> project, ToIntBiFunction<K, V> weigher, Duration idle) {
        this.project = project;
        this.weigher = weigher;
        this.share = maxBytes / SHARES;
        this.nearlyFull = maxBytes - maxBytes / SHARES;
        this.entries = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((K key, V value) -> weigher.applyAsInt(key, value))
                .removalListener((K key, V value, RemovalCause cause) -> count(key, -weigher.applyAsInt(key, value)))
                .expireAfterAccess(idle)
                .executor(Runnable::run)
                .build();
    }

    public Optional<V> getIfPresent(K key) {
        return Optional.ofNullable(entries.getIfPresent(key));
    }

    /** Keeps a value. */
    public void put(K key, V value) {
        int bytes = weigher.applyAsInt(key, value);
        if (count(key, bytes) > share && total.get() > nearlyFull) {
            Object owner = project.apply(key);
            removeIf(other -> project.apply(other).equals(owner));
        }
        entries.put(key, value);
    }

    /** Forgets the entries whose keys match. */
    public void removeIf(Predicate<K> matching) {
        entries.asMap().keySet().removeIf(matching);
    }

    /** Returns what the project has now. */
    private long count(K key, long bytes) {
        total.addAndGet(bytes);
        Long now = used.compute(project.apply(key), (unused, before) -> {
            long sum = (before == null ? 0 : before) + bytes;
            return sum <= 0 ? null : sum;
        });
        return now == null ? 0 : now;
    }
}
