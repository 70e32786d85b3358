package svc.platform.budget;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The requests that wait, in one line for each account. Finding the next one costs the logarithm of the accounts that
 * wait, except that an account whose request is larger than the smallest one is passed over by itself. Guarded by the lock
 * of their budget.
 */
final class WaitingLines {
    private final List<Node> roots;
    private final CurrentStreak streak;

    /** How many requests wait for which amount. */
    private final TreeMap<Long, Integer> amounts = new TreeMap<>();

    private int size;

    WaitingLines(List<Node> roots, CurrentStreak streak) {
        this.roots = List.copyOf(roots);
        this.streak = streak;
    }

    int size() {
        return size;
    }

    void add(WaitingRequest request) {
        request.node().use();
        request.node().join(request);
        amounts.merge(request.amount(), 1, Integer::sum);
        size++;
    }

    boolean contains(WaitingRequest request) {
        return request.node().line().contains(request);
    }

    /** False for a request that was decided before; otherwise the caller calls {@link Node#unuse}. */
    boolean remove(WaitingRequest request) {
        boolean here = request.node().leave(request);
        if (here) {
            size--;
            amounts.compute(request.amount(), (amount, count) -> count == 1 ? null : count - 1);
        }
        return here;
    }

    /** The request that is served next: of each account the first, if there is enough for it. */
    Optional<WaitingRequest> next() {
        return size == 0
                ? Optional.empty()
                : streak.owner()
                        .filter(node -> !node.line().isEmpty())
                        .map(node -> node.line().getFirst())
                        .filter(WaitingLines::fits)
                        .or(this::smallest);
    }

    private Optional<WaitingRequest> smallest() {
        long least = amounts.firstKey();
        return roots.stream()
                .flatMap(root -> root.waitingParts().limits().stream()
                        .filter(across -> across.isEmpty() || across.get().judge(least, least) == Verdict.GRANTED)
                        .flatMap(across -> first(root, across, least).stream()))
                .min(WaitingLines::compare);
    }

    /**
     * The first request of an account and its parts that fits: that whose account holds the least, from the top of the
     * tree, so that none waits behind the queue of another; within an account the request that came first.
     *
     * @param least that any request asks for
     */
    private static Optional<WaitingRequest> first(Node node, Optional<Node> across, long least) {
        Optional<WaitingRequest> own = node.first(across).filter(WaitingLines::fits);
        Optional<WaitingRequest> ofParts = firstOfParts(node, across, least);
        return ofParts.filter(part -> own.isEmpty() || part.order() < own.get().order())
                .or(() -> own);
    }

    private static Optional<WaitingRequest> firstOfParts(Node node, Optional<Node> across, long least) {
        for (Node part : node.waitingParts().of(across)) {
            if (part.mayTake(least)) {
                Optional<WaitingRequest> found = first(part, across, least);
                if (found.isPresent()) {
                    return found;
                }
            } else if (node.waitingParts().haveOneLimit()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static int compare(WaitingRequest one, WaitingRequest other) {
        List<Node> first = one.node().path();
        List<Node> second = other.node().path();
        for (int level = 0; level < Math.min(first.size(), second.size()); level++) {
            int order = WaitingParts.ORDER.compare(first.get(level), second.get(level));
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(one.order(), other.order());
    }

    private static boolean fits(WaitingRequest request) {
        return request.node().judge(request.amount(), request.amount()) == Verdict.GRANTED;
    }
}
