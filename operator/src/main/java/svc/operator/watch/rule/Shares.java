package svc.operator.watch.rule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A resource that the processes of a project use together: the largest users are ended until the rest is within the limit. */
final class Shares {
    private Shares() {}

    /** What one process uses. */
    record Use(Optional<UUID> owner, ProcessId process, long amount) {}

    /** All uses of one owner. An unknown owner has one process: nothing says that two unknown ones are the same. */
    record Share(Optional<UUID> owner, long total, List<Use> largestFirst) {
        /** Those to end, so that the rest stays within the limit. */
        List<Use> beyond(long limit) {
            List<Use> ended = new ArrayList<>();
            long left = total;
            for (Use use : largestFirst) {
                if (left <= limit) {
                    break;
                }
                ended.add(use);
                left -= use.amount();
            }
            return ended;
        }
    }

    static List<Share> of(List<Use> uses) {
        Map<Object, List<Use>> byOwner = new LinkedHashMap<>();
        for (Use use : uses) {
            if (use.amount() > 0) {
                Object key = use.owner().isPresent() ? use.owner().get() : use.process();
                byOwner.computeIfAbsent(key, unused -> new ArrayList<>()).add(use);
            }
        }
        return byOwner.values().stream().map(Shares::share).toList();
    }

    private static Share share(List<Use> uses) {
        List<Use> sorted = uses.stream()
                .sorted(Comparator.comparingLong(Use::amount).reversed())
                .toList();
        return new Share(
                sorted.getFirst().owner(),
                sorted.stream().mapToLong(Use::amount).sum(),
                sorted);
    }
}
