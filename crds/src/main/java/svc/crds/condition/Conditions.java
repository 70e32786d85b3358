package svc.crds.condition;

import static svc.crds.condition.ConditionTypes.READY;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The conditions of one resource during one reconciliation: starts with the stored ones, is updated with {@link #markTrue},
 * {@link #markFalse} and {@link #markUnknown}, and returns the ones to store with {@link #at}.
 *
 * <p>Ready is never marked. It is True when every condition of the kind is True for this generation, False with the
 * reason of the first that is False, and Unknown otherwise. Conditions beyond the kind's own ({@code
 * ReconciliationPaused}) are kept and do not affect it. Immutable.
 */
public final class Conditions {

    /** The reason of a condition that was not evaluated yet. */
    public static final String NOT_YET_JUDGED = "NotYetJudged";

    /** The reason of Ready = True. */
    public static final String ALL_TRUE = "AllConditionsTrue";

    /** The reason of Ready while a condition is for an older generation. */
    public static final String SPEC_CHANGED = "SpecChanged";

    private final ConditionTypes types;
    private final long generation;
    private final Map<String, Condition> stored;
    private final Map<String, Condition> current;

    private Conditions(
            ConditionTypes types, long generation, Map<String, Condition> stored, Map<String, Condition> current) {
        this.types = types;
        this.generation = generation;
        this.stored = stored;
        this.current = current;
    }

    /**
     * @param stored the conditions in the resource's status; null or empty on the first reconciliation
     * @param generation the current generation of the spec
     */
    public static Conditions of(ConditionTypes types, List<Condition> stored, long generation) {
        Map<String, Condition> known = new LinkedHashMap<>();
        if (stored != null) {
            stored.forEach(condition -> known.put(condition.type(), condition));
        }
        Map<String, Condition> current = new LinkedHashMap<>();
        for (String type : types.dependents()) {
            Condition unknown = judged(type, ConditionStatus.UNKNOWN, generation, NOT_YET_JUDGED, "");
            current.put(type, known.getOrDefault(type, unknown));
        }
        known.forEach(current::putIfAbsent);
        current.remove(READY);
        return new Conditions(types, generation, known, current);
    }

    public Conditions markTrue(String type, String reason, String message) {
        return mark(type, ConditionStatus.TRUE, reason, message);
    }

    public Conditions markFalse(String type, String reason, String message) {
        return mark(type, ConditionStatus.FALSE, reason, message);
    }

    public Conditions markUnknown(String type, String reason, String message) {
        return mark(type, ConditionStatus.UNKNOWN, reason, message);
    }

    /**
     * Removes a condition that is present only while True.
     *
     * @throws IllegalArgumentException for one of the kind's own, which are always present
     */
    public Conditions without(String type) {
        if (type.equals(READY) || types.dependents().contains(type)) {
            throw new IllegalArgumentException(type + " is always present");
        }
        Map<String, Condition> next = new LinkedHashMap<>(current);
        next.remove(type);
        return new Conditions(types, generation, stored, next);
    }

    public Optional<Condition> find(String type) {
        return type.equals(READY) ? Optional.of(ready()) : Optional.ofNullable(current.get(type));
    }

    /** Ready, derived from the others. {@link #at} sets its transition time. */
    public Condition ready() {
        List<Condition> dependents =
                types.dependents().stream().map(current::get).toList();
        for (Condition dependent : dependents) {
            if (dependent.isFalse()) {
                return judged(READY, ConditionStatus.FALSE, generation, dependent.reason(), dependent.message());
            }
        }
        for (Condition dependent : dependents) {
            if (!dependent.isTrue()) {
                return judged(READY, ConditionStatus.UNKNOWN, generation, dependent.reason(), dependent.message());
            }
            if (isStale(dependent)) {
                String message = dependent.type() + " was judged for an older spec";
                return judged(READY, ConditionStatus.UNKNOWN, generation, SPEC_CHANGED, message);
            }
        }
        return judged(READY, ConditionStatus.TRUE, generation, ALL_TRUE, "");
    }

    /** The conditions for the status: Ready first, then the kind's own in order, then the others. */
    public List<Condition> at(Instant now) {
        List<Condition> result = new ArrayList<>();
        result.add(timed(ready(), now));
        current.values().forEach(condition -> result.add(timed(condition, now)));
        return List.copyOf(result);
    }

    /** Whether Ready is True in stored conditions for this generation. */
    public static boolean isReady(List<Condition> stored, Long observedGeneration, Long generation) {
        return isCurrent(observedGeneration, generation)
                && in(stored, READY).filter(Condition::isTrue).isPresent();
    }

    /** Whether Ready is False in stored conditions for this generation. */
    public static boolean isFailed(List<Condition> stored, Long observedGeneration, Long generation) {
        return isCurrent(observedGeneration, generation)
                && in(stored, READY).filter(Condition::isFalse).isPresent();
    }

    public static Optional<Condition> in(List<Condition> stored, String type) {
        return stored == null
                ? Optional.empty()
                : stored.stream()
                        .filter(condition -> condition.type().equals(type))
                        .findFirst();
    }

    private static boolean isCurrent(Long observedGeneration, Long generation) {
        return observedGeneration != null && observedGeneration.equals(generation);
    }

    private boolean isStale(Condition condition) {
        return condition.observedGeneration() == null || condition.observedGeneration() < generation;
    }

    private Conditions mark(String type, ConditionStatus status, String reason, String message) {
        if (type.equals(READY)) {
            throw new IllegalArgumentException("Ready is derived and cannot be marked");
        }
        Map<String, Condition> next = new LinkedHashMap<>(current);
        next.put(type, judged(type, status, generation, reason, message));
        return new Conditions(types, generation, stored, next);
    }

    private static Condition judged(
            String type, ConditionStatus status, long generation, String reason, String message) {
        return new Condition(type, status, generation, null, reason, message);
    }

    private Condition timed(Condition condition, Instant now) {
        return new Condition(
                        condition.type(),
                        condition.status(),
                        condition.observedGeneration(),
                        now,
                        condition.reason(),
                        condition.message())
                .continuing(stored.get(condition.type()));
    }
}
