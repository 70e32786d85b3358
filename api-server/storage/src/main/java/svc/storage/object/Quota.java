package svc.storage.object;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/**
 * The total size of a project's files, where the project limits it. Summed up at most once in ten seconds, and counted by
 * this instance in between: uploads that run at the same time, or on other instances, can exceed the limit by what is sent
 * in that time.
 */
public final class Quota {
    private static final Duration REMEMBERED = Duration.ofSeconds(10);
    private static final int MAX_PROJECTS = 10_000;
    private static final int MIB = 1 << 20;

    private final ToLongFunction<StorageCall> total;
    private final Cache<UUID, AtomicLong> used = Caffeine.newBuilder()
            .expireAfterWrite(REMEMBERED)
            .maximumSize(MAX_PROJECTS)
            .build();

    /** @param total what the project of a call keeps, in bytes */
    public Quota(ToLongFunction<StorageCall> total) {
        this.total = total;
    }

    /**
     * Refuses so many bytes more than the project may have.
     *
     * @throws StorageError when they are too many
     */
    public void require(StorageCall call, long more) {
        Long limit = call.tenant().storage().totalSizeLimitMB();
        if (limit != null && used(call).get() + more > limit * MIB) {
            throw StorageError.quotaExceeded(limit);
        }
    }

    /** Whether the project has a limit. */
    boolean isLimited(StorageCall call) {
        return call.tenant().storage().totalSizeLimitMB() != null;
    }

    /** @param bytes negative for what is deleted */
    public void count(StorageCall call, long bytes) {
        AtomicLong known = used.getIfPresent(call.tenant().projectId());
        if (known != null) {
            known.addAndGet(bytes);
        }
    }

    /** Not by the cache's own loading, which would hold a lock while the database is asked. */
    private AtomicLong used(StorageCall call) {
        UUID projectId = call.tenant().projectId();
        AtomicLong known = used.getIfPresent(projectId);
        if (known == null) {
            known = new AtomicLong(total.applyAsLong(call));
            used.put(projectId, known);
        }
        return known;
    }
}
