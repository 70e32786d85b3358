package svc.embedded.pods;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The next steps of a rolling update: while versions change, the old ones serve until as
 * many new ones are ready (maxUnavailable 0), with one more than desired at most (maxSurge 1). Pure.
 *
 * @param starts how many pods of the desired version to start now
 * @param stops the numbers of the pods to stop now
 */
record RolloutPlan(int starts, List<Integer> stops) {
    /**
     * A pod as the plan sees it; those that are stopping are no longer among them.
     *
     * @param current whether it is of the desired version
     */
    record Pod(int number, boolean current, boolean ready) {}

    static RolloutPlan of(int replicas, List<Pod> pods) {
        if (replicas == 0) {
            return new RolloutPlan(0, pods.stream().map(Pod::number).toList());
        }
        List<Integer> stops = new ArrayList<>();
        // Ready pods are stopped last; among equals the youngest first.
        List<Pod> current = new ArrayList<>(pods.stream()
                .filter(Pod::current)
                .sorted(Comparator.comparing(Pod::ready)
                        .thenComparing(Comparator.comparing(Pod::number).reversed()))
                .toList());
        while (current.size() > replicas) {
            stops.add(current.removeFirst().number());
        }
        long ready = pods.stream()
                .filter(pod -> pod.ready() && !stops.contains(pod.number()))
                .count();
        int old = 0;
        for (Pod pod : pods.stream().filter(pod -> !pod.current()).toList()) {
            if (pod.ready()
                    && ready <= replicas
                    && current.stream().filter(Pod::ready).count() < replicas) {
                old++;
            } else {
                stops.add(pod.number());
                ready -= pod.ready() ? 1 : 0;
            }
        }
        int room = replicas + (old == 0 ? 0 : 1) - current.size() - old;
        return new RolloutPlan(Math.clamp(room, 0, replicas - current.size()), stops);
    }
}
