package svc.realtime.feed;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import svc.realtime.filter.Comparison;

/**
 * The conditions of a group that PostgreSQL failed to decide. One is left alone for a while, longer each time, and its bindings
 * pass nothing meanwhile; the other bindings of the group go on. Used by the tasks of its project's feed.
 */
final class ConditionPauses {
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

    private final Duration first;

    /** A condition goes with the filter that it belongs to. */
    private final Map<Comparison, Pause> pauses = new WeakHashMap<>();

    private record Pause(long until, Duration length, String message) {}

    /** @param first the length of a condition's first pause */
    ConditionPauses(Duration first) {
        this.first = first;
    }

    /** Why a condition is not asked now; empty when it may be. */
    Optional<String> reason(Comparison comparison) {
        return Optional.ofNullable(pauses.get(comparison))
                .filter(pause -> System.nanoTime() - pause.until() < 0)
                .map(Pause::message);
    }

    void failed(Comparison comparison, String message) {
        Pause before = pauses.get(comparison);
        Duration length = before == null ? first : before.length().multipliedBy(2);
        Duration bounded = length.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : length;
        pauses.put(comparison, new Pause(System.nanoTime() + bounded.toNanos(), bounded, message));
    }

    void succeeded(Comparison comparison) {
        pauses.remove(comparison);
    }
}
