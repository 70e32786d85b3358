package svc.embedded.pods;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import svc.embedded.kubernetes.log.PodLog;

/** The pods of one Deployment. Handles its events one after the other on a single thread. */
final class Rollout {
    private static final System.Logger LOG = System.getLogger(Rollout.class.getName());

    private final RunFolder folder;
    private final PodLauncher launcher;
    private final PodStatusWriter reports;
    private final Confinement confinement;
    private final int user;
    private final ExecutorService events =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().name("rollout").factory());
    private final Map<Integer, FunctionPod> pods = new TreeMap<>();
    private final Map<String, PodLog> logs = new ConcurrentHashMap<>();
    private Optional<DesiredPods> desired = Optional.empty();
    private Optional<Runnable> onEnded = Optional.empty();

    Rollout(RunFolder folder, PodLauncher launcher, PodStatusWriter reports, Confinement confinement) {
        this.folder = folder;
        this.launcher = launcher;
        this.reports = reports;
        this.confinement = confinement;
        this.user = confinement.takeUser();
    }

    /** Sets the desired state. */
    void setDesired(DesiredPods now) {
        enqueue(() -> {
            desired = Optional.of(now);
            reconcile();
        });
    }

    /** The Deployment was deleted: stops its pods, and then itself. */
    void end(Runnable ended) {
        enqueue(() -> {
            Optional<DesiredPods> last = desired;
            desired = Optional.empty();
            onEnded = Optional.of(() -> {
                last.ifPresent(launcher::leave);
                ended.run();
            });
            List.copyOf(pods.values()).stream().filter(pod -> !pod.stopping()).forEach(this::stop);
            leaveWhenEmpty();
        });
    }

    /** Stops all processes within a timeout without writing any status: the platform shuts down. */
    void close(Duration limit) {
        events.shutdownNow();
        try {
            events.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var running =
                pods.values().stream().flatMap(pod -> pod.process().stream()).toList();
        var gone = new CountDownLatch(running.size());
        running.forEach(process -> process.stop(Duration.ZERO, limit, gone::countDown));
        try {
            gone.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pods.values().forEach(launcher::tidy);
    }

    /** A pod was deleted through the API: stops its process and starts a replacement. */
    void deleted(String pod) {
        enqueue(() -> pods.values().stream()
                .filter(each -> each.name.equals(pod) && !each.stopping())
                .findFirst()
                .ifPresent(each -> {
                    stop(each);
                    reconcile();
                }));
    }

    Optional<PodLog> log(String pod) {
        return Optional.ofNullable(logs.get(pod));
    }

    private void enqueue(Runnable event) {
        try {
            events.execute(() -> {
                try {
                    event.run();
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.ERROR, "while running the pods of " + desired, e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "ignored an event after shutdown");
        }
    }

    private void reconcile() {
        DesiredPods now = desired.orElse(null);
        if (now == null) {
            return;
        }
        RolloutPlan plan = RolloutPlan.of(
                now.replicas(),
                pods.values().stream()
                        .filter(pod -> !pod.stopping())
                        .map(pod -> new RolloutPlan.Pod(
                                pod.number, pod.version.templateHash().equals(now.templateHash()), pod.ready()))
                        .toList());
        for (int i = 0; i < plan.starts(); i++) {
            create(now);
        }
        plan.stops().forEach(number -> stop(pods.get(number)));
        publish();
    }

    private void create(DesiredPods version) {
        int number = 0;
        while (pods.containsKey(number)) {
            number++;
        }
        try {
            var pod = new FunctionPod(number, version, folder.socket(version, number));
            pods.put(number, pod);
            logs.put(pod.name, pod.log);
            start(pod);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "a pod of " + version + " cannot be created: " + e.getMessage());
        }
    }

    private void start(FunctionPod pod) {
        try {
            var listener = new ProcessListener(pod);
            FunctionProcess process = launcher.start(pod, user, listener);
            pod.started(process);
            listener.process = process;
        } catch (PodLauncher.StartFailure e) {
            again(pod, pod.couldNotStart(e.reason(), e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void again(FunctionPod pod, Duration pause) {
        Runnable restart = () -> {
            if (!pod.stopping() && pod.process().isEmpty()) {
                start(pod);
                publish();
            }
        };
        if (pause.isZero()) {
            restart.run();
        } else {
            CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> enqueue(restart));
        }
    }

    private void stop(FunctionPod pod) {
        pod.stop();
        // First remove it from the EndpointSlice, then wait until routers know, then send SIGTERM.
        reports.endpoints(pod.version, ready());
        pod.process()
                .ifPresentOrElse(
                        process -> process.stop(
                                pod.version.leaving(), pod.version.grace(), () -> enqueue(() -> remove(pod))),
                        () -> enqueue(() -> remove(pod)));
    }

    private void remove(FunctionPod pod) {
        launcher.tidy(pod);
        pods.remove(pod.number, pod);
        logs.remove(pod.name, pod.log);
        pod.log.end();
        reports.gone(pod.version, pod.name);
        reconcile();
        leaveWhenEmpty();
    }

    private void leaveWhenEmpty() {
        if (onEnded.isPresent() && pods.isEmpty()) {
            confinement.giveBack(user);
            events.shutdown();
            onEnded.get().run();
        }
    }

    private List<PodDocuments.PodState> ready() {
        return pods.values().stream()
                .filter(FunctionPod::ready)
                .map(FunctionPod::state)
                .toList();
    }

    private void publish() {
        desired.ifPresent(now -> {
            reports.endpoints(now, ready());
            List<FunctionPod> live =
                    pods.values().stream().filter(pod -> !pod.stopping()).toList();
            live.forEach(pod -> reports.pod(pod.version, pod.state()));
            reports.deployment(
                    now,
                    live.stream().map(FunctionPod::state).toList(),
                    live.stream()
                            .filter(pod -> pod.version.templateHash().equals(now.templateHash()))
                            .map(pod -> pod.name)
                            .toList());
        });
    }

    /** Turns the callbacks of one process into events; those of an earlier process of the pod are ignored. */
    private final class ProcessListener implements FunctionProcess.Listener {
        private final FunctionPod pod;
        private volatile FunctionProcess process;

        private ProcessListener(FunctionPod pod) {
            this.pod = pod;
        }

        @Override
        public void ready() {
            whenCurrent(() -> {
                pod.becameReady();
                reconcile();
            });
        }

        @Override
        public void ended(FunctionProcess.End end) {
            whenCurrent(() -> {
                launcher.tidy(pod);
                launcher.tellEnd(pod, end);
                Duration pause = pod.ended(end);
                reports.endpoints(pod.version, Rollout.this.ready());
                again(pod, pause);
                publish();
            });
        }

        private void whenCurrent(Runnable event) {
            // Queued behind the start that is still under way, which makes the process known.
            enqueue(() -> {
                if (!pod.stopping() && process != null && pod.process().equals(Optional.of(process))) {
                    event.run();
                }
            });
        }
    }
}
