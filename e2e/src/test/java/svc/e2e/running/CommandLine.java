package svc.e2e.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import svc.e2e.platform.PlatformCommand;

/**
 * Programs of {@code clients/}, as a person or a CI job runs them.
 *
 * @param folder the working directory
 * @param environment beside that of this process
 */
public record CommandLine(Path folder, Map<String, String> environment) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Below the limit of a test, which then fails with what the program printed. */
    static final long LIMIT_SECONDS = 240;

    /** What a program printed on its two channels, and how it ended. */
    public record Ended(int code, String out, String err) {
        /** Its result as JSON, when it ended well. */
        public JsonNode json() throws IOException {
            return JSON.readTree(expect(0).out());
        }

        public Ended expect(int expected) {
            if (code != expected) {
                throw new AssertionError("ended with " + code + ", not " + expected + ": " + out + err);
            }
            return this;
        }
    }

    /** The folder with both packages, which {@code ./svc test} builds. */
    public static Path clients() {
        return PlatformCommand.root().resolve("clients");
    }

    /** The words that start the command line. */
    public List<String> words(String... arguments) {
        List<String> words = new ArrayList<>(
                List.of("node", clients().resolve("cli/build/src/main.js").toString()));
        words.addAll(List.of(arguments));
        return words;
    }

    /** Runs the command line without standard input. */
    public Ended svc(String... arguments) throws IOException {
        return run(words(arguments), "");
    }

    /** Runs the command line with that standard input. */
    public Ended svcWith(String input, String... arguments) throws IOException {
        return run(words(arguments), input);
    }

    /** Starts a program that goes on until it is stopped. */
    public Process start(List<String> words) throws IOException {
        var builder =
                new ProcessBuilder(words).directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Runs any program to its end. */
    public Ended run(List<String> words, String input) throws IOException {
        Path in = Files.writeString(Files.createTempFile("svc-e2e-", ".in"), input);
        Path out = Files.createTempFile("svc-e2e-", ".out");
        Path err = Files.createTempFile("svc-e2e-", ".err");
        try {
            var builder = new ProcessBuilder(words)
                    .directory(folder.toFile())
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException(words + " did not end: " + Files.readString(out) + Files.readString(err));
                }
            } finally {
                Program.kill(process);
            }
            return new Ended(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + words, e);
        } finally {
            for (Path file : List.of(in, out, err)) {
                Files.delete(file);
            }
        }
    }
}
