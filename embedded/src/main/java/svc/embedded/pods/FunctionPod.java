package svc.embedded.pods;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import svc.embedded.kubernetes.log.PodLog;

/** The state of one pod in its rollout; confined to the rollout's thread. */
final class FunctionPod {
    private static final Duration SOUND_AFTER = Duration.ofSeconds(60);
    private static final Duration FIRST_RESTART_DELAY = Duration.ofMillis(500);
    private static final Duration MAX_RESTART_DELAY = Duration.ofSeconds(60);
    private static final int MAX_DOUBLINGS = 7;

    final int number;
    final DesiredPods version;
    final String name;
    final PodLog log = new PodLog();
    final Path socket;

    private final Instant createdAt = Instant.now();
    private Optional<FunctionProcess> process = Optional.empty();
    private Optional<Instant> startedAt = Optional.empty();
    private Optional<FunctionProcess.End> last = Optional.empty();
    private String waiting = "ContainerCreating";
    private String message = "";
    private boolean ready;
    private boolean stopping;
    private int restarts;
    private int failuresInARow;

    FunctionPod(int number, DesiredPods version, Path socket) {
        this.number = number;
        this.version = version;
        this.name = version.podName(number);
        this.socket = socket;
    }

    Optional<FunctionProcess> process() {
        return process;
    }

    boolean ready() {
        return ready && !stopping;
    }

    boolean stopping() {
        return stopping;
    }

    void started(FunctionProcess now) {
        process = Optional.of(now);
        startedAt = Optional.of(Instant.now());
        ready = false;
    }

    void becameReady() {
        ready = true;
    }

    void stop() {
        stopping = true;
        ready = false;
    }

    /** Records that the process exited; returns the restart delay. */
    Duration ended(FunctionProcess.End end) {
        boolean wasSound = startedAt
                .map(start -> Duration.between(start, Instant.now()).compareTo(SOUND_AFTER) > 0)
                .orElse(false);
        last = Optional.of(end);
        Duration pause = failed(
                wasSound,
                "CrashLoopBackOff",
                "the process ended with code %d (%s); restarting it".formatted(end.code(), end.reason()));
        restarts++;
        return pause;
    }

    /** Records a failed start; returns the restart delay. */
    Duration couldNotStart(String reason, String why) {
        return failed(false, reason, why);
    }

    PodDocuments.PodState state() {
        return new PodDocuments.PodState(number, name, ready(), restarts, createdAt, startedAt, waiting, message, last);
    }

    private Duration failed(boolean wasSound, String reason, String why) {
        ready = false;
        process = Optional.empty();
        startedAt = Optional.empty();
        waiting = reason;
        message = why;
        failuresInARow = wasSound ? 1 : failuresInARow + 1;
        // The first restart is immediate: one bad request must not make a function unavailable.
        if (failuresInARow == 1 && reason.equals("CrashLoopBackOff")) {
            return Duration.ZERO;
        }
        Duration pause = FIRST_RESTART_DELAY.multipliedBy(1L << Math.min(failuresInARow - 1, MAX_DOUBLINGS));
        return pause.compareTo(MAX_RESTART_DELAY) > 0 ? MAX_RESTART_DELAY : pause;
    }
}
