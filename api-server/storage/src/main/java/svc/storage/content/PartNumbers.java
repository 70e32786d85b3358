package svc.storage.content;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which parts of a multipart upload are its bytes. Each attempt to store a part takes a number that no other attempt has, so
 * that a writer that was superseded can never replace a part of the one behind it; numbers whose attempt has not ended well
 * are skipped when the parts are put together.
 *
 * @param last the greatest number that was taken; 0 before the first
 * @param skipped numbers up to {@code last} that are no part
 */
public record PartNumbers(int last, Set<Integer> skipped) {
    /** S3's own limit. */
    public static final int MAX = 10_000;

    public PartNumbers {
        skipped = Set.copyOf(skipped);
    }

    /** All numbers up to this one. */
    public static PartNumbers upTo(int last) {
        return new PartNumbers(last, Set.of());
    }

    /** How many parts there are. */
    public int count() {
        return last - skipped.size();
    }

    public boolean contain(int number) {
        return number > 0 && number <= last && !skipped.contains(number);
    }

    /** With the number of one part more. */
    public PartNumbers next() {
        return new PartNumbers(last + 1, skipped);
    }

    /** As many parts, from the first one: what was taken behind them is skipped. */
    public PartNumbers only(int parts) {
        Set<Integer> all = new TreeSet<>(skipped);
        for (int number = last, more = count() - parts; number > 0 && more > 0; number--) {
            if (all.add(number)) {
                more--;
            }
        }
        return new PartNumbers(last, all);
    }

    /** In ascending order. */
    public List<Integer> skippedInOrder() {
        return skipped.stream().sorted().toList();
    }
}
