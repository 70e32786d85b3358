package svc.embedded.pods;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The process of one Deployment of a sidecar. A new version starts when the old one has ended, as with the strategy Recreate.
 * Confined to the runner's thread, but for {@link #kill}.
 */
final class SidecarRollout {
    private static final System.Logger LOG = System.getLogger(SidecarRollout.class.getName());
    private static final Duration SOUND_AFTER = Duration.ofSeconds(60);
    private static final long FIRST_DELAY_MS = 300;
    private static final int MAX_DOUBLINGS = 7;

    private final SidecarRunner runner;
    private final Instant createdAt = Instant.now();
    private Optional<DesiredPods> desired = Optional.empty();
    private volatile Optional<SidecarProcess> process = Optional.empty();
    private Optional<DesiredPods> version = Optional.empty();
    private Optional<Instant> startedAt = Optional.empty();
    private boolean ready;
    private boolean pausing;
    private int restarts;
    private int failuresInARow;

    SidecarRollout(SidecarRunner runner) {
        this.runner = runner;
    }

    void reconcile(DesiredPods now) {
        desired = Optional.of(now);
        reconcile();
    }

    /** The Deployment was deleted. */
    void end() {
        desired = Optional.empty();
        process.ifPresent(running -> running.stop(Duration.ofSeconds(10)));
    }

    /** The platform shuts down. */
    void kill() {
        process.ifPresent(SidecarProcess::stopAndWait);
    }

    private boolean isWanted() {
        return desired.filter(now -> now.replicas() > 0).isPresent();
    }

    private void reconcile() {
        if (process.isPresent()) {
            boolean current =
                    isWanted() && version.map(DesiredPods::templateHash).equals(desired.map(DesiredPods::templateHash));
            if (!current) {
                ready = false;
                report();
                process.get().stop(desired.map(DesiredPods::grace).orElse(Duration.ofSeconds(10)));
                return;
            }
        } else if (isWanted() && !pausing) {
            start(desired.get());
        }
        report();
    }

    private void start(DesiredPods now) {
        try {
            SidecarProcess[] own = new SidecarProcess[1];
            own[0] = runner.launch(now, new SidecarProcess.Listener() {
                @Override
                public void ready() {
                    runner.enqueue(() -> SidecarRollout.this.becameReady(own[0]));
                }

                @Override
                public void ended(int code) {
                    runner.enqueue(() -> SidecarRollout.this.ended(own[0], code));
                }
            });
            process = Optional.of(own[0]);
            version = Optional.of(now);
            startedAt = Optional.of(Instant.now());
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "the sidecar " + now.name() + " cannot be started: " + e.getMessage());
            again();
        }
    }

    private void becameReady(SidecarProcess which) {
        if (process.filter(running -> running == which).isPresent() && !which.isStopping()) {
            ready = true;
            report();
        }
    }

    private void ended(SidecarProcess which, int code) {
        if (process.filter(running -> running == which).isEmpty()) {
            return;
        }
        process = Optional.empty();
        ready = false;
        boolean sound = startedAt
                .filter(start -> Duration.between(start, Instant.now()).compareTo(SOUND_AFTER) > 0)
                .isPresent();
        failuresInARow = sound || which.isStopping() ? 0 : failuresInARow + 1;
        if (which.isStopping()) {
            reconcile();
        } else {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a realtime sidecar ended with code " + code + "; its log is " + which.log());
            restarts++;
            report();
            again();
        }
    }

    private void again() {
        pausing = true;
        long delay = FIRST_DELAY_MS << Math.min(failuresInARow, MAX_DOUBLINGS);
        CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS)
                .execute(() -> runner.enqueue(() -> {
                    pausing = false;
                    if (desired.isPresent()) {
                        reconcile();
                    }
                }));
    }

    private void report() {
        desired.ifPresent(now -> runner.report(
                now,
                new PodDocuments.PodState(
                        0, now.podName(0), ready, restarts, createdAt, startedAt, "", "", Optional.empty()),
                process.isPresent() && isWanted(),
                process.filter(running -> ready).map(SidecarProcess::port)));
    }
}
