package svc.management.function.bundle;

import java.util.List;

/** What became of a function. */
public sealed interface BundleResult {
    /**
     * It is one module, and has a handler.
     *
     * @param origins where its places come from
     */
    record Bundled(String code, BundleOrigins origins) implements BundleResult {}

    /** It cannot run, for these reasons; at least one. */
    record Refused(List<BundleFault> faults) implements BundleResult {
        public Refused {
            faults = List.copyOf(faults);
        }

        /** Whether the same function may be accepted later: a registry is away, and nothing else is wrong. */
        public boolean isPassing() {
            return faults.stream().allMatch(fault -> fault.kind() == BundleFault.Kind.UNREACHABLE);
        }
    }

    /** Not attempted: the queue is full. */
    record Busy() implements BundleResult {}
}
