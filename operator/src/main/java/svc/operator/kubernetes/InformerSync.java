package svc.operator.kubernetes;

import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Whether informers are synced. An unreadable object, for example of another version of its kind, keeps its informer from
 * syncing, and a stopping operator closes its informers. Before and after, an object missing from the cache must not be taken
 * for deleted.
 *
 * <p>Call it after the caches were read, not before: no informer that was closed opens again, so what was read is valid.
 */
public final class InformerSync {
    /** How soon an unsynced reconciliation is retried. */
    public static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    /**
     * The page size of an informer's lists. A list without pages may be answered from an outdated cache of an API server,
     * which omits what was created meanwhile.
     */
    public static final long PAGE_SIZE = 500;

    private InformerSync() {}

    /** Whether these informers are synced in every watched namespace, and not closed. */
    public static boolean areSynced(Stream<? extends InformerEventSource<?, ?>> kinds) {
        return kinds.map(InformerEventSource::informerHealthIndicators)
                .allMatch(namespaces -> !namespaces.isEmpty()
                        && namespaces.values().stream().allMatch(InformerHealthIndicator::hasSynced));
    }
}
