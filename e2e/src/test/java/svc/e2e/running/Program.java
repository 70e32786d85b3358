package svc.e2e.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;

/** A run of another program, to its end. */
public record Program(int code, String output) {
    /** Runs it; what it prints on either channel is its output. */
    public static Program run(List<String> words, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile("svc-e2e-", ".out");
        try {
            var builder = new ProcessBuilder(words)
                    .directory(PlatformCommand.root().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(CommandLine.LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException(words + " did not end: " + Files.readString(output));
                }
            } finally {
                kill(process);
            }
            return new Program(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + words, e);
        } finally {
            Files.delete(output);
        }
    }

    /** Ends a process that still runs, with its children: after its limit, or when its test is interrupted. */
    static void kill(Process process) {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Runs the real kubectl (or what {@code SVC_KUBECTL} names) against a platform, and expects it to succeed. */
    public static String kubectl(Platform platform, String... arguments) throws IOException {
        var words = new ArrayList<String>();
        words.add(System.getenv().getOrDefault("SVC_KUBECTL", "kubectl"));
        words.addAll(List.of(arguments));
        return run(words, Map.of("KUBECONFIG", platform.connection().kubeconfig()))
                .succeeded(words);
    }

    /** Its output, when it ended well. */
    public String succeeded(List<String> words) {
        if (code != 0) {
            throw new AssertionError(words + " ended with " + code + ": " + output);
        }
        return output;
    }
}
