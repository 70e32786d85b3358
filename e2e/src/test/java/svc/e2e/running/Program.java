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
    private static final long LIMIT_SECONDS = 120;

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
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(words + " did not end: " + Files.readString(output));
            }
            return new Program(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + words, e);
        } finally {
            Files.delete(output);
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
