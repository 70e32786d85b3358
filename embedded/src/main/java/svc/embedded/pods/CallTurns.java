package svc.embedded.pods;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.embedded.pods.GatewayLimits.Holder;

/**
 * Whose call goes next: that of the project with the fewest under way, of these the function with the fewest, so that a
 * flood of one project delays its own calls. Confined to one event loop.
 *
 * <p>It repeats a budget of the api-server for one reason: this module depends on none of the others.
 */
final class CallTurns {
    private final GatewayLimits.Share most;
    private final Map<Holder, Deque<Turn>> waiting = new LinkedHashMap<>();
    private final Map<Holder, Integer> ofFunctions = new HashMap<>();
    private final Map<String, Integer> ofProjects = new HashMap<>();
    private int all;

    /**
     * One call. Calls of a function to a function count against its own share alone: the callee's calls need the others.
     */
    static final class Turn {
        private final Holder holder;
        private final boolean nested;
        private final Runnable begin;
        private State state = State.WAITING;

        private enum State {
            WAITING,
            UNDER_WAY,
            OVER
        }

        Turn(Holder holder, boolean nested, Runnable begin) {
            this.holder = holder;
            this.nested = nested;
            this.begin = begin;
        }
    }

    CallTurns(GatewayLimits.Share most) {
        this.most = most;
    }

    /** Begins the call, at once or when it is its turn. */
    void await(Turn turn) {
        waiting.computeIfAbsent(turn.holder, holder -> new ArrayDeque<>()).add(turn);
        grant();
    }

    /** The call is over, or its caller waits no more. */
    void end(Turn turn) {
        if (turn.state == Turn.State.WAITING) {
            leave(turn);
        } else if (turn.state == Turn.State.UNDER_WAY) {
            count(turn, -1);
        }
        turn.state = Turn.State.OVER;
        grant();
    }

    int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    private void grant() {
        for (Optional<Turn> next = next(); next.isPresent(); next = next()) {
            Turn turn = next.get();
            leave(turn);
            turn.state = Turn.State.UNDER_WAY;
            count(turn, 1);
            turn.begin.run();
        }
    }

    private Optional<Turn> next() {
        return waiting.values().stream()
                .map(Deque::getFirst)
                .filter(this::fits)
                .min(Comparator.comparingInt((Turn turn) -> ofProjects.getOrDefault(turn.holder.project(), 0))
                        .thenComparingInt(turn -> ofFunctions.getOrDefault(turn.holder, 0)));
    }

    private boolean fits(Turn turn) {
        return ofFunctions.getOrDefault(turn.holder, 0) < most.function()
                && (turn.nested
                        || all < most.all() && ofProjects.getOrDefault(turn.holder.project(), 0) < most.project());
    }

    private void leave(Turn turn) {
        waiting.computeIfPresent(turn.holder, (holder, queue) -> {
            queue.remove(turn);
            return queue.isEmpty() ? null : queue;
        });
    }

    private void count(Turn turn, int change) {
        add(ofFunctions, turn.holder, change);
        if (!turn.nested) {
            add(ofProjects, turn.holder.project(), change);
            all += change;
        }
    }

    private static <K> void add(Map<K, Integer> counts, K key, int change) {
        counts.merge(key, change, (now, more) -> now + more == 0 ? null : now + more);
    }
}
