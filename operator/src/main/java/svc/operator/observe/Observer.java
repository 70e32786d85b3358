package svc.operator.observe;

/** Takes observations. Never throws: telling about the work may not disturb it. */
@FunctionalInterface
public interface Observer {
    void observed(Observation observation);

    /** Both, this one first. */
    default Observer and(Observer other) {
        return observation -> {
            observed(observation);
            other.observed(observation);
        };
    }
}
