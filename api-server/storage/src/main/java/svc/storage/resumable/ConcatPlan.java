package svc.storage.resumable;

import java.util.ArrayList;
import java.util.List;

/**
 * How partial uploads become the parts of one: S3 copies ranges of 5 MiB and more by itself; what is smaller is read and
 * stored together with what follows it. Pure.
 */
final class ConcatPlan {
    /** The least that S3 takes as a part, but for the last. */
    static final long MIN = 5L << 20;

    /** A copy of so many bytes ends well within the time limit of a call. */
    static final long MAX_COPY = 512L << 20;

    /** What is read for one part has fewer bytes. */
    static final int MAX_GATHERED = 10 << 20;

    private final List<Step> steps = new ArrayList<>();
    private List<Range> pending = new ArrayList<>();
    private long pendingBytes;

    private ConcatPlan() {}

    /**
     * Bytes of one partial upload.
     *
     * @param source its index
     */
    record Range(int source, long from, long length) {}

    /** One part of the whole. */
    sealed interface Step {
        /** S3 copies it. */
        record Copy(Range range) implements Step {}

        /** It is read, and stored. */
        record Gather(List<Range> ranges) implements Step {
            int bytes() {
                return (int) ranges.stream().mapToLong(Range::length).sum();
            }
        }
    }

    /** @param sizes of the partial uploads, in their order, in bytes */
    static List<Step> of(List<Long> sizes) {
        var plan = new ConcatPlan();
        for (int source = 0; source < sizes.size(); source++) {
            plan.add(source, sizes.get(source));
        }
        plan.flush();
        return plan.steps;
    }

    private void add(int source, long size) {
        long from = 0;
        if (pendingBytes > 0) {
            long needed = Math.min(MIN - pendingBytes, size);
            // A rest that could be no part of its own is read as well.
            from = size - needed < MIN ? size : needed;
            gather(new Range(source, 0, from));
        }
        if (size - from >= MIN) {
            copy(source, from, size);
        } else if (size > from) {
            gather(new Range(source, from, size - from));
        }
    }

    private void gather(Range range) {
        if (range.length() > 0) {
            pending.add(range);
            pendingBytes += range.length();
        }
        if (pendingBytes >= MIN) {
            flush();
        }
    }

    private void flush() {
        if (pendingBytes > 0) {
            steps.add(new Step.Gather(List.copyOf(pending)));
            pending = new ArrayList<>();
            pendingBytes = 0;
        }
    }

    private void copy(int source, long from, long size) {
        long at = from;
        while (at < size) {
            long rest = size - at;
            long length = rest <= MAX_COPY ? rest : Math.min(MAX_COPY, rest - MIN);
            steps.add(new Step.Copy(new Range(source, at, length)));
            at += length;
        }
    }
}
