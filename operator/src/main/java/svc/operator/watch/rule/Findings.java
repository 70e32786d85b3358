package svc.operator.watch.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import svc.operator.watch.rule.Shares.Share;
import svc.operator.watch.rule.Shares.Use;

/** Which processes of a sample are beyond a limit. */
final class Findings {
    private static final long BYTES_PER_MEBIBYTE = 1024L * 1024;

    private final WatchLimits limits;

    Findings(WatchLimits limits) {
        this.limits = limits;
    }

    List<Finding> in(Sample sample) {
        List<Finding> found = new ArrayList<>();
        for (Share share : Shares.of(locks(sample))) {
            share.beyond(limits.locks()).forEach(use -> found.add(locks(use, share)));
        }
        for (Share share : Shares.of(temporaryFiles(sample))) {
            share.beyond(limits.tempBytes()).forEach(use -> found.add(temporaryFiles(use, share)));
        }
        sample.sessions().stream().filter(this::isTooOld).map(this::time).forEach(found::add);
        sample.workers().stream()
                .filter(this::isTooLong)
                .map(Findings::maintenance)
                .forEach(found::add);
        return found;
    }

    /** Projects that hold more than half of what they may. */
    List<Share> nearLockLimit(Sample sample) {
        return Shares.of(locks(sample)).stream()
                .filter(share -> share.total() > limits.locks() / 2 && share.total() <= limits.locks())
                .toList();
    }

    private static List<Use> locks(Sample sample) {
        return Stream.concat(
                        sample.sessions().stream()
                                .map(session -> new Use(session.owner(), session.id(), session.locks())),
                        sample.workers().stream().map(worker -> new Use(worker.owner(), worker.id(), worker.locks())))
                .toList();
    }

    private static List<Use> temporaryFiles(Sample sample) {
        return sample.sessions().stream()
                .map(session -> new Use(session.owner(), session.id(), session.tempBytes()))
                .toList();
    }

    private boolean isTooOld(Session session) {
        return session.transaction().compareTo(limits.timeOf(session.login())) > 0;
    }

    private boolean isTooLong(MaintenanceWorker worker) {
        return worker.working().compareTo(limits.timeOf(worker)) > 0;
    }

    private Finding locks(Use use, Share share) {
        return new Finding(
                use.owner(),
                Rule.LOCKS,
                use.process(),
                true,
                true,
                "its transaction held " + use.amount() + " locks, and the project " + share.total() + " of the "
                        + limits.locks() + " that it may hold at once",
                "Make the change in several smaller transactions.");
    }

    private Finding temporaryFiles(Use use, Share share) {
        return new Finding(
                use.owner(),
                Rule.TEMPORARY_FILES,
                use.process(),
                false,
                true,
                "the project's temporary files had " + share.total() / BYTES_PER_MEBIBYTE + " MiB, and "
                        + limits.tempBytes() / BYTES_PER_MEBIBYTE + " MiB is the limit",
                "Sort or join fewer rows at a time, or add an index.");
    }

    private Finding time(Session session) {
        return new Finding(
                session.owner(),
                Rule.TIME,
                session.id(),
                false,
                session.busy(),
                "its transaction was " + seconds(session.transaction()) + " old, and no call may take longer than "
                        + seconds(limits.timeOf(session.login())),
                "Do less in one call.");
    }

    private static Finding maintenance(MaintenanceWorker worker) {
        String code = worker.expressions().isEmpty()
                ? ""
                : "; it runs the project's own code for " + String.join(", ", worker.expressions());
        return new Finding(
                worker.owner(),
                Rule.MAINTENANCE,
                worker.id(),
                true,
                false,
                "autovacuum worked on table " + worker.relation() + " for " + seconds(worker.working()) + code,
                worker.expressions().isEmpty()
                        ? "Lower the statistics targets of the table's columns."
                        : "Make that code faster, or drop what uses it.");
    }

    private static String seconds(Duration time) {
        return time.toSeconds() + " s";
    }
}
