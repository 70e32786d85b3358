package svc.operator.kubernetes;

import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Whether what is not found does not exist. An object that cannot be read, of another version of its kind for example, hides
 * all of its kind from an operator that starts, which ends then; until it has, it must take nothing for gone.
 */
public final class InformerSync {
    /** How soon it is worth while to look again. */
    public static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private InformerSync() {}

    /** Whether all objects of these kinds have been heard of since the start, in every namespace that is watched. */
    public static boolean all(InformerEventSource<?, ?>... kinds) {
        return Stream.of(kinds)
                .flatMap(kind -> kind.informerHealthIndicators().values().stream())
                .allMatch(InformerHealthIndicator::hasSynced);
    }
}
