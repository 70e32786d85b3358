package svc.e2e.supervision;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;

/**
 * The script {@code ./svc} in a source tree of its own, which has no sources: so it finds nothing to build, and what is
 * packaged is that of the tree under test.
 *
 * @param tree holds the script
 * @param environment beside this process's own
 */
record Launcher(Path tree, Map<String, String> environment) {
    private static final long LIMIT_MINUTES = 8;
    /** What the sandbox's build writes last. */
    private static final String BUILT = "sandbox/build/vips.js";

    /** The poll interval of a process, in seconds. A tenth of it stays, so that the process can run. */
    private static final String POLL = "0.1";

    private static final String PACKAGED = "standalone/target/quarkus-app";

    /** With the platform as it is packaged, on the JDK of this process. */
    static Launcher ofThePlatform(Path tree) throws IOException {
        Path root = PlatformCommand.root();
        Launcher launcher = new Launcher(tree, Map.of("SVC_JAVA_HOME", System.getProperty("java.home")));
        launcher.prepare();
        Files.createSymbolicLink(tree.resolve(PACKAGED), root.resolve(PACKAGED));
        List<String> copy = List.of(
                "cp",
                "-a",
                root.resolve("sandbox").toString(),
                tree.resolve("sandbox").toString());
        Program.run(copy, Map.of()).succeeded(copy);
        Files.setLastModifiedTime(tree.resolve(BUILT), FileTime.from(Instant.now()));
        return launcher;
    }

    /**
     * With scripts in place of Java and of the waits between two starts.
     *
     * @param java what each start does
     * @param waits gets a line with the seconds of each wait between two starts, which takes no time
     */
    static Launcher ofPrograms(Path tree, String java, Path waits) throws IOException {
        Path jdk = Files.createDirectories(tree.resolve("jdk/bin")).getParent();
        script(jdk.resolve("bin/java"), java);
        script(jdk.resolve("bin/javac"), "true");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"21.0.1\"\n");
        Path programs = Files.createDirectories(tree.resolve("programs"));
        script(
                programs.resolve("sleep"),
                "[ \"$1\" != " + POLL + " ] || exec /bin/sleep 0.01; echo \"$1\" >>'" + waits + "'");
        Launcher launcher = new Launcher(
                tree, Map.of("SVC_JAVA_HOME", jdk.toString(), "PATH", programs + ":" + System.getenv("PATH")));
        launcher.prepare();
        Files.createFile(Files.createDirectories(tree.resolve(PACKAGED)).resolve("quarkus-run.jar"));
        Path sources = Files.createDirectories(tree.resolve("sandbox/bundle")).getParent();
        Files.createDirectories(sources.resolve("image"));
        for (String source : List.of("package-lock.json", "build.mjs", "bundle/bundle.ts", "image/vips.ts")) {
            old(sources.resolve(source));
        }
        Files.createDirectories(tree.resolve(BUILT).getParent());
        Files.createFile(tree.resolve(BUILT));
        return launcher;
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
    }

    /** What the script compares times of: older than anything that was packaged. */
    private void prepare() throws IOException {
        Path root = PlatformCommand.root();
        Files.copy(root.resolve("svc"), tree.resolve("svc"));
        old(tree.resolve("pom.xml"));
        old(Files.createDirectories(tree.resolve("crds")).resolve("project.yaml"));
        Files.createDirectories(tree.resolve(PACKAGED).getParent());
    }

    private static void old(Path file) throws IOException {
        Files.setLastModifiedTime(Files.createFile(file), FileTime.from(Instant.EPOCH));
    }

    /**
     * Runs it to its end.
     *
     * @throws IOException when it does not end
     */
    Ended run(String... arguments) throws IOException {
        Path output = Files.createTempFile(tree, "launcher-", ".out");
        List<String> words = new ArrayList<>(List.of(tree.resolve("svc").toString()));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException(words + " did not end: " + Files.readString(output));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + words, e);
        }
        return new Ended(process.exitValue(), Files.readString(output));
    }

    /** How it ended, and what it said. */
    record Ended(int code, String output) {}
}
