package svc.embedded.pods;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.embedded.pods.GatewayLimits.Holder;

/**
 * The open connections of functions, and which of them has to go. When there are as many as may be, a newcomer displaces a
 * connection of the project with the most, unless its own has as many: the oldest without a call, else the oldest.
 * Confined to one event loop.
 *
 * <p>It is no {@link svc.platform.budget.Budget}: a newcomer does not wait, and the connection that gives way is another
 * owner's.
 */
final class ConnectionLedger {
    private final GatewayLimits.Share most;
    private final Map<String, Set<Entry>> ofProjects = new HashMap<>();
    private final Map<Holder, Integer> ofFunctions = new HashMap<>();
    private int all;

    /** One open connection. */
    static final class Entry {
        private final Holder holder;
        private final Runnable close;
        private boolean busy;

        Entry(Holder holder, Runnable close) {
            this.holder = holder;
            this.close = close;
        }

        /** Whether a call is under way on it, or waits for its turn. */
        void setBusy(boolean now) {
            busy = now;
        }
    }

    ConnectionLedger(GatewayLimits.Share most) {
        this.most = most;
    }

    /** Takes a connection in; whether there is room for it. */
    boolean admit(Entry entry) {
        Holder holder = entry.holder;
        if (ofFunctions.getOrDefault(holder, 0) >= most.function() || held(holder.project()) >= most.project()) {
            return false;
        }
        if (all >= most.all() && !displace(holder.project())) {
            return false;
        }
        ofProjects
                .computeIfAbsent(holder.project(), project -> new LinkedHashSet<>())
                .add(entry);
        ofFunctions.merge(holder, 1, Integer::sum);
        all++;
        return true;
    }

    /** Forgets a connection; of one that is not here it does nothing. */
    void remove(Entry entry) {
        Set<Entry> siblings = ofProjects.getOrDefault(entry.holder.project(), Set.of());
        if (!siblings.contains(entry)) {
            return;
        }
        siblings.remove(entry);
        if (siblings.isEmpty()) {
            ofProjects.remove(entry.holder.project());
        }
        ofFunctions.computeIfPresent(entry.holder, (holder, count) -> count == 1 ? null : count - 1);
        all--;
    }

    int size() {
        return all;
    }

    private int held(String project) {
        return ofProjects.getOrDefault(project, Set.of()).size();
    }

    private boolean displace(String newcomer) {
        Optional<Set<Entry>> largest = ofProjects.values().stream()
                .max(Comparator.comparingInt(Set::size))
                .filter(siblings -> siblings.size() > held(newcomer) + 1);
        Optional<Entry> leaves = largest.map(siblings -> siblings.stream()
                .filter(entry -> !entry.busy)
                .findFirst()
                .orElseGet(() -> siblings.iterator().next()));
        leaves.ifPresent(entry -> {
            remove(entry);
            entry.close.run();
        });
        return leaves.isPresent();
    }
}
