package svc.platform.budget;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The requests that wait, in one line for each account. Guarded by the lock of their budget. */
final class WaitingLines {
    private static final Comparator<Node> SMALLEST =
            Comparator.comparingLong(Node::held).thenComparingLong(Node::waitsSince);
    private static final Comparator<WaitingRequest> SMALLEST_FIRST = WaitingLines::compare;

    private final CurrentStreak streak;
    private final Set<Node> nodes = new LinkedHashSet<>();
    private int size;

    WaitingLines(CurrentStreak streak) {
        this.streak = streak;
    }

    /**
     * First the request whose account holds the least, from the top of the tree; of equal accounts that which has had no
     * turn for longest, so that none waits behind the queue of another; within an account the request that came first.
     */
    private static int compare(WaitingRequest one, WaitingRequest other) {
        List<Node> first = one.node().path();
        List<Node> second = other.node().path();
        for (int level = 0; level < Math.min(first.size(), second.size()); level++) {
            int order = SMALLEST.compare(first.get(level), second.get(level));
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(one.order(), other.order());
    }

    int size() {
        return size;
    }

    void add(WaitingRequest request) {
        Node node = request.node();
        node.use();
        node.waits(1, request.order());
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
            node.waits(-1, request.order());
            if (node.line().isEmpty()) {
                nodes.remove(node);
            }
        }
        return here;
    }

    /** The request that is served next: of each account the first, if there is enough for it. */
    Optional<WaitingRequest> next() {
        return streak.owner()
                .filter(node -> !node.line().isEmpty())
                .map(node -> node.line().getFirst())
                .filter(WaitingLines::fits)
                .or(() -> nodes.stream()
                        .map(node -> node.line().getFirst())
                        .filter(WaitingLines::fits)
                        .min(SMALLEST_FIRST));
    }

    private static boolean fits(WaitingRequest request) {
        return request.node().judge(request.amount(), request.amount()) == Verdict.GRANTED;
    }
}
