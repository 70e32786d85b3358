package svc.platform.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder with the sandbox's programs and their JavaScript runtime: {@code sandbox} of the repository, or the one that
 * an image puts in its place.
 */
public record SandboxHome(Path folder) {
    /** The setting for a folder other than {@code sandbox} in or above the working directory. */
    public static final String SETTING = "svc.sandbox.home";

    private static final Path RUNTIME = runtime(System.getProperty("os.arch"));
    private static final Path PARSER = Path.of("parse", "main.ts");
    private static final Path GENERATED = Path.of("build", "postgres-parser.js");

    /** Where the package manager puts the runtime for an architecture, as Java names it. */
    static Path runtime(String architecture) {
        String machine = architecture.equals("aarch64") ? "arm64" : "x64";
        return Path.of("node_modules", "@deno", "linux-" + machine + "-glibc", "deno");
    }

    public SandboxHome {
        folder = folder.toAbsolutePath().normalize();
    }

    /**
     * The configured folder, or {@code sandbox} in the working directory or the nearest folder above that has one.
     *
     * @throws IllegalStateException when something is missing there, with what to do about it
     */
    public static SandboxHome find(Optional<Path> configured) {
        var home = new SandboxHome(configured.orElseGet(SandboxHome::nearest));
        for (Path part : List.of(RUNTIME, PARSER, GENERATED)) {
            if (!Files.isRegularFile(home.folder.resolve(part))) {
                throw new IllegalStateException("the sandbox in " + home.folder + " has no " + part
                        + ": run ./svc build, or set " + SETTING + " to a folder that is complete");
            }
        }
        return home;
    }

    private static Path nearest() {
        return Stream.iterate(Path.of("").toAbsolutePath(), folder -> folder != null, Path::getParent)
                .map(folder -> folder.resolve("sandbox"))
                .filter(folder -> Files.isRegularFile(folder.resolve(PARSER)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no folder sandbox in or above the working directory; set " + SETTING));
    }

    /** The JavaScript runtime that all programs run under. */
    public Path runtime() {
        return folder.resolve(RUNTIME);
    }
}
