package svc.platform.budget;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The time for which the parts of one account have held what they got: start-time fair queueing (Goyal, Vin and Cheng,
 * IEEE/ACM Transactions on Networking 5(5), 1997). A part that begins is as far as the one that was served last, so that
 * idleness earns nothing; and one that has used more than others that wait stays so after it has returned everything.
 * Guarded by the lock of their budget.
 */
final class PartTimes {
    /** Differences below a few milliseconds are the scheduler's: then turns decide. */
    private static final int ROUNDING_BITS = 23;

    /** Parts that are remembered for their time alone; further ones are forgotten. */
    private static final int MAX_OWING = 1_000;

    private final TreeSet<Node> owing =
            new TreeSet<>(Comparator.comparingLong(Node::used).thenComparing(Node::name));
    private long now;

    /** @param nanos that a part has used */
    static long rounded(long nanos) {
        return nanos >> ROUNDING_BITS;
    }

    /** Where a part begins that has used so much. */
    long since(long used) {
        return Math.max(used, now);
    }

    /** A part that has used so much has its turn. */
    long begin(long used) {
        now = since(used);
        return now;
    }

    /** Whether a part that holds nothing is still known for the time that it has used. */
    boolean remembers(Node part) {
        if (part.used() <= now || owing.size() >= MAX_OWING) {
            return false;
        }
        owing.add(part);
        return true;
    }

    /** The part is no longer remembered for its time alone: that is about to change. */
    void recall(Node part) {
        owing.remove(part);
    }

    /** Removes those that owe nothing any more. */
    List<Node> removeEven() {
        List<Node> even = new ArrayList<>(0);
        while (!owing.isEmpty() && owing.first().used() <= now) {
            even.add(owing.pollFirst());
        }
        return even;
    }

    /** Removes all: none waits, so that none owes anything. */
    List<Node> removeAll() {
        List<Node> every = List.copyOf(owing);
        owing.clear();
        return every;
    }
}
