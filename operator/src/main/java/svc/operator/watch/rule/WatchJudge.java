package svc.operator.watch.rule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.operator.watch.rule.Shares.Share;

/**
 * Decides what is done about each sample: warn, cancel, terminate, quarantine. Remembers the processes of the last sample and
 * the recent past of up to {@value #MAX_PROJECTS} projects, and nothing else. Not safe for concurrent use.
 */
public final class WatchJudge {
    static final int MAX_PROJECTS = 4_096;

    private final WatchLimits limits;
    private final Findings findings;
    private final LastingUse lastingUse;
    private final Map<ProcessId, Progress> progress = new HashMap<>();
    private final Map<UUID, ProjectHistory> histories = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, ProjectHistory> eldest) {
            return size() > MAX_PROJECTS;
        }
    };

    public WatchJudge(WatchLimits limits) {
        this.limits = limits;
        this.findings = new Findings(limits);
        this.lastingUse = new LastingUse(limits.rates());
    }

    /** How far one process has been brought. */
    private record Progress(Optional<UUID> owner, Stage stage, Instant since) {}

    private enum Stage {
        CANCELLED,
        TERMINATED,
        STUCK
    }

    /** @param now may not go back */
    public List<Action> judge(Sample sample, Instant now) {
        forgetEnded(sample);
        List<Action> actions = new ArrayList<>(warnings(sample, now));
        Set<ProcessId> done = new HashSet<>();
        Map<UUID, Finding> struck = new LinkedHashMap<>();
        Map<UUID, Finding> newlyStuck = new LinkedHashMap<>();
        for (Finding finding : findings.in(sample)) {
            if (done.add(finding.process())) {
                next(finding, now).ifPresent(action -> {
                    actions.add(action);
                    if (action instanceof Action.Terminate && finding.counts()) {
                        finding.owner().ifPresent(owner -> struck.putIfAbsent(owner, finding));
                    }
                    if (action instanceof Action.ReportStuck) {
                        finding.owner().ifPresent(owner -> newlyStuck.put(owner, finding));
                    }
                });
            }
        }
        endedMaintenance(sample, actions, struck);
        struck.forEach((owner, finding) -> strike(owner, finding, now).ifPresent(actions::add));
        newlyStuck.forEach((owner, finding) -> stuck(owner, finding).ifPresent(actions::add));
        return actions;
    }

    /** How many processes of the project were terminated and still run. */
    public int stuckOf(UUID project) {
        return (int) progress.values().stream()
                .filter(process -> process.stage() == Stage.STUCK)
                .filter(process -> process.owner().filter(project::equals).isPresent())
                .count();
    }

    private void forgetEnded(Sample sample) {
        Set<ProcessId> alive = Stream.concat(
                        sample.sessions().stream().map(Session::id),
                        sample.workers().stream().map(MaintenanceWorker::id))
                .collect(Collectors.toSet());
        progress.keySet().retainAll(alive);
    }

    private List<Action> warnings(Sample sample, Instant now) {
        List<Action> warnings = new ArrayList<>();
        for (Share share : findings.nearLockLimit(sample)) {
            share.owner()
                    .filter(owner -> history(owner).warns(Rule.LOCKS, now, limits.strikeWindow()))
                    .ifPresent(owner -> warnings.add(new Action.Warn(
                            share.owner(),
                            Rule.LOCKS,
                            "The project holds " + share.total() + " locks at once. Beyond " + limits.locks()
                                    + " its sessions are ended. Make such a change in several smaller transactions.")));
        }
        for (LastingUse.Excess excess : lastingUse.in(sample, now)) {
            if (history(excess.owner()).warns(excess.rule(), now, limits.strikeWindow())) {
                warnings.add(new Action.Warn(Optional.of(excess.owner()), excess.rule(), excess.message()));
            }
        }
        return warnings;
    }

    private Optional<Action> next(Finding finding, Instant now) {
        Progress before = progress.get(finding.process());
        if (before == null && !finding.urgent()) {
            return Optional.of(reach(finding, Stage.CANCELLED, now));
        }
        if (before == null
                || (before.stage() == Stage.CANCELLED && (finding.urgent() || isOver(before, limits.grace(), now)))) {
            return Optional.of(reach(finding, Stage.TERMINATED, now));
        }
        return before.stage() == Stage.TERMINATED
                        && isOver(before, limits.grace().multipliedBy(2), now)
                ? Optional.of(reach(finding, Stage.STUCK, now))
                : Optional.empty();
    }

    private static boolean isOver(Progress before, Duration time, Instant now) {
        return !now.isBefore(before.since().plus(time));
    }

    private Action reach(Finding finding, Stage stage, Instant now) {
        progress.put(finding.process(), new Progress(finding.owner(), stage, now));
        String because = finding.what() + ". " + finding.remedy();
        return switch (stage) {
            case CANCELLED ->
                new Action.Cancel(
                        finding.owner(), finding.rule(), finding.process(), "A statement was cancelled: " + because);
            case TERMINATED ->
                new Action.Terminate(
                        finding.owner(),
                        finding.rule(),
                        finding.process(),
                        finding.rule() == Rule.MAINTENANCE
                                ? "Automatic maintenance was ended: " + because
                                : "A session was ended: " + because);
            case STUCK ->
                new Action.ReportStuck(
                        finding.owner(),
                        finding.rule(),
                        finding.process(),
                        "A session cannot be ended and counts among the project's until it has: " + because);
        };
    }

    /** After the second time autovacuum leaves the table alone; to switch it on again without a remedy is a strike. */
    private void endedMaintenance(Sample sample, List<Action> actions, Map<UUID, Finding> struck) {
        for (MaintenanceWorker worker : sample.workers()) {
            boolean ended = actions.stream()
                    .anyMatch(action -> action instanceof Action.Terminate terminated
                            && terminated.process().equals(worker.id()));
            if (!ended || worker.owner().isEmpty() || worker.table() == 0) {
                continue;
            }
            UUID owner = worker.owner().get();
            int times = history(owner).maintenanceEnded(worker.table());
            if (times >= 2) {
                actions.add(
                        new Action.StopMaintenance(worker.owner(), Rule.MAINTENANCE, worker.table(), stopped(worker)));
            }
            if (times > 2) {
                findings.in(new Sample(List.of(), List.of(worker))).stream()
                        .findFirst()
                        .ifPresent(finding -> struck.putIfAbsent(owner, finding));
            }
        }
    }

    private static String stopped(MaintenanceWorker worker) {
        String what =
                worker.expressions().isEmpty() ? "its statistics targets" : String.join(", ", worker.expressions());
        return "Automatic maintenance of table " + worker.relation() + " is switched off. Mend " + what
                + ", then run ALTER TABLE " + worker.relation() + " SET (autovacuum_enabled = true).";
    }

    private Optional<Action> strike(UUID owner, Finding finding, Instant now) {
        return history(owner).strike(now, limits)
                ? Optional.of(new Action.Quarantine(
                        owner,
                        finding.rule(),
                        "Sessions of the project were ended " + limits.strikes() + " times within "
                                + limits.strikeWindow().toMinutes() + " minutes, the last one because " + finding.what()
                                + "."))
                : Optional.empty();
    }

    private Optional<Action> stuck(UUID owner, Finding finding) {
        int stuck = stuckOf(owner);
        return stuck >= limits.stuck()
                ? Optional.of(new Action.Quarantine(
                        owner,
                        finding.rule(),
                        stuck + " sessions of the project cannot be ended, the last one because " + finding.what()
                                + "."))
                : Optional.empty();
    }

    private ProjectHistory history(UUID project) {
        return histories.computeIfAbsent(project, unused -> new ProjectHistory());
    }
}
