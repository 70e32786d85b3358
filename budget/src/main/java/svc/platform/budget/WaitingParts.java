package svc.platform.budget;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parts of one account in which requests wait, in the order in which they are served: first the part that holds the
 * least; of equal ones that which has used the least time; then that which has had no turn for longest. Apart for each
 * limit across owners, so that requests that only wait for such a limit are passed over together. Guarded by the lock of
 * their budget.
 */
final class WaitingParts {
    static final Comparator<Node> ORDER = Comparator.comparingLong(Node::held)
            .thenComparingLong(node -> PartTimes.rounded(node.used()))
            .thenComparingLong(Node::waitsSince);
    private static final Comparator<Node> TOTAL_ORDER = ORDER.thenComparing(Node::name);

    private final Map<Optional<Node>, NavigableSet<Node>> parts = new HashMap<>(2);

    /** How many requests wait in the account itself and in its parts. */
    private final Map<Optional<Node>, Integer> requests = new HashMap<>(2);

    private Optional<Limit> limit = Optional.empty();
    private boolean mixed;

    /** A part with this limit exists. */
    void mayInclude(Limit ofPart) {
        mixed |= !limit.orElse(ofPart).equals(ofPart);
        limit = Optional.of(ofPart);
    }

    /** Whether all parts have the same limit: then none gets what another one cannot that holds less. */
    boolean haveOneLimit() {
        return !mixed;
    }

    void count(Optional<Node> across, int more) {
        requests.merge(across, more, (now, change) -> now + change == 0 ? null : now + change);
    }

    /** The limits across owners against which waiting requests count. */
    Set<Optional<Node>> limits() {
        return requests.keySet();
    }

    /** Of the requests that count against one limit across owners. */
    Iterable<Node> of(Optional<Node> across) {
        return parts.getOrDefault(across, Collections.emptyNavigableSet());
    }

    /** Before anything changes that the order depends on. */
    void remove(Node part) {
        for (Optional<Node> across : part.waitingParts().limits()) {
            parts.computeIfPresent(across, (same, ranked) -> {
                ranked.remove(part);
                return ranked.isEmpty() ? null : ranked;
            });
        }
    }

    void add(Node part) {
        for (Optional<Node> across : part.waitingParts().limits()) {
            parts.computeIfAbsent(across, same -> new TreeSet<>(TOTAL_ORDER)).add(part);
        }
    }
}
