package svc.embedded.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.embedded.kubernetes.LocalObjects;

/** Starts the processes of pods: prepares files and environment, applies the limits, and cleans up after the end. */
final class PodLauncher {
    private static final String OURS = "SVC_RUNTIME_";
    private static final String GIVEN = "SVC_RUNTIME_ENV_";
    private static final int KEY_BYTES = 16;
    private static final long MEGABYTE = 1L << 20;
    private static final long LEAST_HEAP = 48;
    private static final Duration LAST_WORDS = Duration.ofSeconds(4);

    private final RunFolder folder;
    private final RunCommand command;
    private final Confinement confinement;
    private final ControlGroups groups;
    private final MemoryWatch memory;
    private final BundleStore bundles;
    private final LocalObjects secrets;
    private final Optional<Path> gateway;
    private final SecureRandom random = new SecureRandom();

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
            LocalObjects secrets,
            Optional<Path> gateway) {
        this.folder = folder;
        this.command = command;
        this.confinement = confinement;
        this.groups = groups;
        this.memory = memory;
        this.bundles = bundles;
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
            Optional<Path> way = linkGateway(home);
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

    /** A name of its own for the gateway's socket: a function that runs as we do could remove it, and removes only this. */
    private Optional<Path> linkGateway(Path home) throws IOException {
        if (gateway.isEmpty()) {
            return Optional.empty();
        }
        Path link = home.resolve("gateway.sock");
        if (!Files.exists(link)) {
            Files.createLink(link, gateway.get());
        }
        return Optional.of(link);
    }

    private static long heapMegabytes(long memoryBytes) {
        return Math.max(LEAST_HEAP, memoryBytes / MEGABYTE * 5 / 8 - 16);
    }

    private String newKey() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return HexFormat.of().formatHex(key);
    }
}
