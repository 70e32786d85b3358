package svc.embedded.pods;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import svc.embedded.kubernetes.log.PodLog;

/** One pod as its rollout knows it; changed by the rollout's thread alone. */
final class FunctionPod {
    private static final Duration SOUND_AFTER = Duration.ofSeconds(60);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    private static final int MOST_DOUBLINGS = 7;

    final int number;
    final WantedPods version;
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

    FunctionPod(int number, WantedPods version, Path socket) {
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

    /** Its process has ended by itself; returns how long to wait before the next one. */
    Duration ended(FunctionProcess.End end) {
        boolean wasSound = startedAt
                .map(start -> Duration.between(start, Instant.now()).compareTo(SOUND_AFTER) > 0)
                .orElse(false);
        last = Optional.of(end);
        Duration pause = failed(
                wasSound,
                "CrashLoopBackOff",
                "the process ended with code %d (%s); it is started again".formatted(end.code(), end.reason()));
        restarts++;
        return pause;
    }

    /** It could not be started; returns how long to wait before the next try. */
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
        // The first time at once: one bad request must not keep a function away.
        if (failuresInARow == 1 && reason.equals("CrashLoopBackOff")) {
            return Duration.ZERO;
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failuresInARow - 1, MOST_DOUBLINGS));
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
}
