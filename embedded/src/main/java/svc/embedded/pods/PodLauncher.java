package svc.embedded.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import svc.embedded.kubernetes.LocalObjects;
import svc.embedded.pods.GatewayLimits.Holder;

/** Starts the processes of pods: prepares files and environment, applies the limits, and cleans up after the end. */
final class PodLauncher implements AutoCloseable {
    private static final String OURS = "SVC_RUNTIME_";
    private static final String GIVEN = "SVC_RUNTIME_ENV_";
    private static final int KEY_BYTES = 16;
    private static final long MEGABYTE = 1L << 20;
    private static final long MIN_HEAP = 48;
    private static final Duration LAST_WORDS = Duration.ofSeconds(4);

    private final RunFolder folder;
    private final RunCommand command;
    private final Confinement confinement;
    private final ControlGroups groups;
    private final MemoryWatch memory;
    private final BundleStore bundles;
    private final LogPost logs;
    private final LocalObjects secrets;
    private final Optional<FunctionGateway> gateway;
    private final Map<Path, Way> ways = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();

    /** @param deployment uid of the Deployment that the socket was opened for */
    private record Way(String deployment, GatewaySocket socket) {}

    /** A pod cannot be started; carries the reason for its status. */
    static final class StartFailure extends Exception {
        private static final long serialVersionUID = 1L;

        private final String reason;

        StartFailure(String reason, String message) {
            super(message);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    PodLauncher(
            RunFolder folder,
            RunCommand command,
            Confinement confinement,
            ControlGroups groups,
            MemoryWatch memory,
            BundleStore bundles,
            LogPost logs,
            LocalObjects secrets,
            Optional<FunctionGateway> gateway) {
        this.folder = folder;
        this.command = command;
        this.confinement = confinement;
        this.groups = groups;
        this.memory = memory;
        this.bundles = bundles;
        this.logs = logs;
        this.secrets = secrets;
        this.gateway = gateway;
    }

    /**
     * Starts the process of a pod.
     *
     * @param user id that the process runs as; see {@link Confinement}
     * @throws StartFailure when something is missing; the next try may find it
     */
    FunctionProcess start(FunctionPod pod, int user, FunctionProcess.Listener listener)
            throws StartFailure, InterruptedException {
        DesiredPods desired = pod.version;
        Map<String, String> given = environment(desired);
        String key = newKey();
        Path home = folder.of(desired);
        try {
            confinement.makeFolder(home, user);
            Path bundle = home.resolve(pod.number + ".bundle");
            Path archive =
                    bundles.find(given.getOrDefault(OURS + "BUNDLE", ""), given.getOrDefault(OURS + "TOKEN", ""));
            RunFolder.linkOrCopy(archive, bundle);
            Files.deleteIfExists(pod.socket);
            Optional<Path> way = gatewaySocket(desired);
            List<Path> joins = groups.create(
                    desired.namespace() + "." + desired.name() + "." + pod.number,
                    desired.memoryBytes(),
                    desired.cpuMillis());
            var start = new RunCommand.Start(bundle, pod.socket, way, heapMegabytes(desired.memoryBytes()));
            FunctionProcess process = FunctionProcess.start(
                    confinement.command(user, command.serving(start)),
                    processEnvironment(given, start, key, desired.grace().minus(desired.leaving())),
                    home,
                    joins,
                    key,
                    pod.log,
                    listener);
            if (!groups.available()) {
                memory.add(process.handle(), desired.memoryBytes(), process::blameMemory);
            }
            return process;
        } catch (IOException e) {
            throw new StartFailure("CreateContainerError", e.getMessage());
        }
    }

    /** Says in the logs of a pod that its process ended for lack of memory: its own last words are the engine's, if any. */
    void tellEnd(FunctionPod pod, FunctionProcess.End end) {
        if (!end.isForMemory()) {
            return;
        }
        String line = LogPost.line(
                "out of memory: the process took more than its %d MB and was ended; it is started again, and the calls"
                                .formatted(pod.version.memoryBytes() / MEGABYTE)
                        + " that it had are lost");
        pod.log.append(Instant.now(), line);
        try {
            Map<String, String> given = environment(pod.version);
            String intake = given.getOrDefault(OURS + "LOGS", "");
            if (!intake.isEmpty()) {
                logs.post(intake, given.getOrDefault(OURS + "TOKEN", ""), line);
            }
        } catch (StartFailure e) {
            // Its Secret is gone, and the function with it.
            return;
        }
    }

    /** The Deployment is gone: closes its way to the gateway, unless a new one of that name has it by now. */
    void leave(DesiredPods desired) {
        Path path = folder.gatewaySocket(desired);
        Way last = ways.get(path);
        if (last == null || !last.deployment().equals(desired.uid())) {
            return;
        }
        try {
            closeWay(path);
        } catch (IOException e) {
            // The next start of the platform empties the folder.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        for (Path path : List.copyOf(ways.keySet())) {
            closeWay(path);
        }
    }

    /** Removes the files of an ended pod. */
    void tidy(FunctionPod pod) {
        pod.process().ifPresent(process -> groups.remove(process.groups()));
        for (Path left : List.of(pod.socket, folder.of(pod.version).resolve(pod.number + ".bundle"))) {
            try {
                Files.deleteIfExists(left);
            } catch (IOException e) {
                // The next start of the platform empties the folder.
                continue;
            }
        }
    }

    /** The environment from envFrom and env, including the runner's settings. */
    private Map<String, String> environment(DesiredPods desired) throws StartFailure {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String name : desired.secrets()) {
            ObjectNode secret = secrets.find(desired.namespace(), name)
                    .orElseThrow(() -> new StartFailure(
                            "CreateContainerConfigError",
                            "the Secret %s, which holds the environment, does not exist".formatted(name)));
            secret.path("data")
                    .properties()
                    .forEach(entry -> environment.put(
                            entry.getKey(),
                            new String(
                                    Base64.getDecoder().decode(entry.getValue().asText()),
                                    java.nio.charset.StandardCharsets.UTF_8)));
        }
        environment.putAll(desired.variables());
        return environment;
    }

    /**
     * The function's own variables go under a prefix, which the runner takes off. Without it they could make the linker
     * or Deno load code, first of all in setpriv and prlimit.
     */
    private Map<String, String> processEnvironment(
            Map<String, String> given, RunCommand.Start start, String key, Duration grace) {
        Map<String, String> environment = command.environment(folder.cache());
        given.forEach((name, value) -> {
            if (!name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\0') < 0 && value.indexOf('\0') < 0) {
                environment.put(name.startsWith(OURS) ? name : GIVEN + name, value);
            }
        });
        environment.put(OURS + "LISTEN", "unix:" + start.socket());
        environment.put(OURS + "BUNDLE", start.bundle().toUri().toString());
        environment.put(OURS + "LOG_KEY", key);
        Duration drain = grace.minus(LAST_WORDS).dividedBy(2);
        environment.put(OURS + "DRAIN_MS", Long.toString(Math.max(0, drain.toMillis())));
        start.gateway().ifPresent(way -> environment.put(OURS + "GATEWAY", "unix:" + way));
        return environment;
    }

    /** The Deployment's socket to the gateway; opened again when a function that runs as we do has removed it. */
    private Optional<Path> gatewaySocket(DesiredPods desired) throws IOException {
        if (gateway.isEmpty()) {
            return Optional.empty();
        }
        Path path = folder.gatewaySocket(desired);
        Way known = ways.get(path);
        if (known == null || !known.deployment().equals(desired.uid()) || !Files.exists(path)) {
            closeWay(path);
            var holder = new Holder(desired.project(), desired.toString());
            ways.put(path, new Way(desired.uid(), gateway.get().open(path, holder)));
        }
        return Optional.of(path);
    }

    private void closeWay(Path path) throws IOException {
        Way before = ways.remove(path);
        if (before != null) {
            before.socket().close();
        }
    }

    private static long heapMegabytes(long memoryBytes) {
        return Math.max(MIN_HEAP, memoryBytes / MEGABYTE * 5 / 8 - 16);
    }

    private String newKey() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return HexFormat.of().formatHex(key);
    }
}
