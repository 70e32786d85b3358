package svc.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of the machine that a benchmark needs. */
public record Tool(Path program) {
    private static final Duration MAX_TIME = Duration.ofMinutes(30);
    private static final Path POSTGRES_VERSIONS = Path.of("/usr/lib/postgresql");

    /** Looks on the PATH, and where Debian puts what belongs to PostgreSQL. */
    public static Optional<Tool> find(String name) throws IOException {
        var folders = new ArrayList<>(
                Arrays.stream(System.getenv("PATH").split(":")).map(Path::of).toList());
        if (Files.isDirectory(POSTGRES_VERSIONS)) {
            try (Stream<Path> versions = Files.list(POSTGRES_VERSIONS)) {
                versions.map(version -> version.resolve("bin")).forEach(folders::add);
            }
        }
        return folders.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Tool::new);
    }

    /** Runs it to its end and returns what it wrote. @throws IOException with that, when it fails */
    public String run(Map<String, String> environment, List<String> arguments) throws IOException {
        return run(environment, arguments, MAX_TIME);
    }

    /**
     * Runs it for at most that long.
     *
     * @param limit then it is killed, and so fails: a platform under attack may not answer it
     */
    public String run(Map<String, String> environment, List<String> arguments, Duration limit) throws IOException {
        var words = new ArrayList<String>();
        words.add(program.toString());
        words.addAll(arguments);
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.onExit().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
            process.destroyForcibly();
            return process;
        });
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(program.getFileName() + " failed: " + output);
            }
            return output;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + program.getFileName() + " ran", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
