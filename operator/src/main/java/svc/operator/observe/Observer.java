package svc.operator.observe;

/** Receives observations. Never throws: observing must not fail a reconciliation. */
@FunctionalInterface
public interface Observer {
    void observed(Observation observation);

    /** Calls this observer, then the other one. */
    default Observer and(Observer other) {
        return observation -> {
            observed(observation);
            other.observed(observation);
        };
    }
}
