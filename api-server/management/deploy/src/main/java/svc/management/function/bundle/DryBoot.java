package svc.management.function.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import svc.platform.process.ChildProcess;
import svc.platform.process.KillReason;
import svc.platform.process.ProcessFolder;
import svc.platform.process.ProcessLimits;
import svc.platform.process.ProcessWatch;
import svc.platform.process.SandboxHome;
import svc.platform.process.ScratchFolder;

/**
 * Starts a function once, in the runtime that will serve it and with that runtime's permissions, to see whether it has a
 * handler. This is the one place of the control plane where code of a tenant runs: its process is given nothing but the
 * function's own environment.
 */
final class DryBoot implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path PROGRAM = Path.of("run", "main.ts");
    private static final Path PERMISSIONS = Path.of("run", "permissions.json");
    private static final String HANDED_OVER = "SVC_RUNTIME_ENV_";
    private static final Duration START = Duration.ofSeconds(5);
    private static final long RESIDENT_BYTES = 512L << 20;
    private static final int HEAP_MEGABYTES = 192;
    private static final int OUTPUT_BYTES = 256 << 10;

    private final Supplier<SandboxHome> home;
    private final Duration limit;
    private ProcessFolder own;

    DryBoot(Supplier<SandboxHome> home, Duration limit) {
        this.home = home;
        this.limit = limit;
    }

    /** @return why the function cannot be started; empty when it can */
    Optional<BundleFault> attempt(String name, String code, Map<String, String> environment) {
        Path folder = null;
        try {
            folder = Files.createTempDirectory(own(), "start-");
            Path bundle = Files.writeString(folder.resolve("bundle.js"), code);
            return start(name, bundle, folder, environment);
        } catch (IOException e) {
            throw new UncheckedIOException("while starting a function for the first time", e);
        } finally {
            if (folder != null) {
                ScratchFolder.delete(folder);
            }
        }
    }

    private Optional<BundleFault> start(String name, Path bundle, Path folder, Map<String, String> environment)
            throws IOException {
        SandboxHome sandbox = home.get();
        JsonNode permissions = JSON.readTree(Files.readAllBytes(sandbox.folder().resolve(PERMISSIONS)));
        var builder = new ProcessBuilder(command(sandbox, permissions, bundle))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> own = builder.environment();
        own.clear();
        // The runtime takes the prefix off: as they are, they could tell the linker or Deno what to load.
        environment.forEach((variable, value) -> own.put(HANDED_OVER + variable, value));
        permissions
                .path("environment")
                .properties()
                .forEach(entry -> own.put(entry.getKey(), entry.getValue().asText()));
        own.put("DENO_DIR", cache().toString());
        own.put("SVC_RUNTIME_BUNDLE", bundle.toUri().toString());
        own.put("SVC_RUNTIME_FUNCTION", name);
        own.put("SVC_RUNTIME_BOOT_MS", Long.toString(limit.toMillis()));
        ChildProcess process = ChildProcess.start(builder);
        try (var watch = new ProcessWatch("first start");
                var guard = watch.guard(process, new ProcessLimits(limit.plus(START), RESIDENT_BYTES))) {
            process.requests().close();
            byte[] output = process.answers().readNBytes(OUTPUT_BYTES);
            // Whatever else it has to say is not worth waiting for.
            process.answers().close();
            int exit = process.waitFor();
            return verdict(exit, new String(output, StandardCharsets.UTF_8), guard.killedFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.kill();
        }
    }

    private static List<String> command(SandboxHome home, JsonNode permissions, Path bundle) {
        List<String> command = new ArrayList<>(List.of(home.runtime().toString(), "run"));
        permissions.path("flags").forEach(flag -> command.add(flag.asText()));
        command.add("--v8-flags=--max-old-space-size=" + HEAP_MEGABYTES);
        Map<String, String> places =
                Map.of("{run}", home.folder().resolve("run").toString(), "{bundle}", bundle.toString());
        String readable = texts(permissions.path("readable")).stream()
                .map(places::get)
                .filter(place -> place != null)
                .collect(Collectors.joining(","));
        command.add("--allow-read=" + readable);
        // A deployment must not make the control plane's machine send requests: nothing is fetched before it serves.
        command.add("--deny-net");
        command.add(home.folder().resolve(PROGRAM).toString());
        command.add("--dry-boot");
        return command;
    }

    /** The runtime compiled, which it is by the first start; functions are not kept there. */
    private Path cache() throws IOException {
        return Files.createDirectories(own().resolve("cache"));
    }

    private synchronized Path own() throws IOException {
        if (own == null) {
            own = ProcessFolder.create("svc-boot-");
        }
        return own.path();
    }

    @Override
    public synchronized void close() {
        if (own != null) {
            own.close();
            // A later attempt gets a folder of its own.
            own = null;
        }
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private Optional<BundleFault> verdict(int exit, String output, Optional<KillReason> killedFor) {
        if (exit == 0) {
            return Optional.empty();
        }
        if (killedFor.filter(KillReason.WALL_TIME::equals).isPresent()) {
            return Optional.of(BundleFault.of(
                    BundleFault.Kind.BOOT_TIMEOUT,
                    "The function did not finish loading within " + limit.toSeconds() + " seconds."));
        }
        if (killedFor.filter(KillReason.MEMORY::equals).isPresent()) {
            return Optional.of(BundleFault.of(
                    BundleFault.Kind.BOOT_FAILED, "The function takes more memory while it loads than it is given."));
        }
        return Optional.of(report(output));
    }

    /** The last line of the output, which is the runtime's own word. */
    private static BundleFault report(String output) {
        String line = output.lines()
                .filter(text -> !text.isBlank())
                .reduce((before, last) -> last)
                .orElse("");
        try {
            JsonNode report = JSON.readTree(line);
            String message = report.path("message").asText();
            if (!message.isEmpty()) {
                return new BundleFault(
                        kind(report.path("reason").asText(), message),
                        BundlerResponse.cut(message),
                        Optional.ofNullable(report.path("file").textValue()),
                        BundlerResponse.number(report.path("line")),
                        BundlerResponse.number(report.path("column")));
            }
        } catch (IOException e) {
            // Not the runtime's line: it fell before it could say one.
        }
        return BundleFault.of(
                BundleFault.Kind.BOOT_FAILED, "The function's process ended while it loaded the function.");
    }

    private static BundleFault.Kind kind(String reason, String message) {
        if (reason.equals("no_handler") || message.contains("no handler")) {
            return BundleFault.Kind.NO_HANDLER;
        }
        if (reason.equals("boot_timeout") || message.contains("did not finish loading")) {
            return BundleFault.Kind.BOOT_TIMEOUT;
        }
        return BundleFault.Kind.BOOT_FAILED;
    }
}
