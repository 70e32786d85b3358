package svc.platform.budget;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The requests that wait, in one line for each account. Guarded by the lock of their budget. */
final class WaitingLines {
    private static final Comparator<WaitingRequest> SMALLEST_FIRST = WaitingLines::compare;

    private final Set<Node> nodes = new LinkedHashSet<>();
    private long arrivals;
    private int size;

    /** First the request whose account holds the least, from the top of the tree; of equal ones that which came first. */
    private static int compare(WaitingRequest one, WaitingRequest other) {
        List<Long> first = one.node().heldFromTheTop();
        List<Long> second = other.node().heldFromTheTop();
        for (int level = 0; level < Math.min(first.size(), second.size()); level++) {
            int order = Long.compare(first.get(level), second.get(level));
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(one.order(), other.order());
    }

    int size() {
        return size;
    }

    /** The order number of the next request. */
    long nextOrder() {
        return arrivals++;
    }

    void add(WaitingRequest request) {
        Node node = request.node();
        node.use();
        node.line().add(request);
        nodes.add(node);
        size++;
    }

    boolean contains(WaitingRequest request) {
        return request.node().line().contains(request);
    }

    /** False for a request that was decided before; otherwise the caller calls {@link Node#unuse}. */
    boolean remove(WaitingRequest request) {
        Node node = request.node();
        boolean here = node.line().remove(request);
        if (here) {
            size--;
            if (node.line().isEmpty()) {
                nodes.remove(node);
            }
        }
        return here;
    }

    /** The request that is served next: of each account the first, if there is enough for it. */
    Optional<WaitingRequest> next() {
        return nodes.stream()
                .map(node -> node.line().getFirst())
                .filter(request -> request.node().judge(request.amount(), request.amount()) == Verdict.GRANTED)
                .min(SMALLEST_FIRST);
    }
}
