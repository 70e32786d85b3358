package svc.operator.kubernetes;

import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Whether informers are synced. An unreadable object, for example of another version of its kind, keeps its informer from
 * syncing. Until it has, an object missing from the cache must not be taken for deleted.
 */
public final class InformerSync {
    /** How soon an unsynced reconciliation is retried. */
    public static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private InformerSync() {}

    /** Whether these informers are synced in every watched namespace. */
    public static boolean areSynced(InformerEventSource<?, ?>... kinds) {
        return Stream.of(kinds)
                .flatMap(kind -> kind.informerHealthIndicators().values().stream())
                .allMatch(InformerHealthIndicator::hasSynced);
    }
}
