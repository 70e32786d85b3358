package svc.e2e.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import svc.embedded.process.FreePort;

/**
 * The command that {@code ./svc up} ends in, on a data folder and a port of the caller's choice.
 *
 * @param options of the JVM, beside those of {@code ./svc}; a system property wins over the platform's own setting
 */
public record PlatformCommand(Path data, int port, List<String> options) {
    /** On ports that are free now: the gateway's and, right after it, that of the Kubernetes API. */
    public static PlatformCommand onFreePorts(Path data) throws IOException {
        return new PlatformCommand(data, FreePort.findPair(), List.of());
    }

    /** The same with one more option for the JVM. */
    public PlatformCommand with(String option) {
        return new PlatformCommand(
                data, port, Stream.concat(options.stream(), Stream.of(option)).toList());
    }

    /**
     * The words of the command; the options of the JVM are those of {@code ./svc}.
     *
     * @throws IllegalStateException when the platform has not been built, saying how to
     */
    public List<String> words() {
        Path root = root();
        Path jar = root.resolve("standalone/target/quarkus-app/quarkus-run.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException(
                    "the platform has not been built (there is no " + jar + "): run ./svc test");
        }
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-XX:+UseSerialGC",
                "-Xmx384m",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dsvc.sandbox.home=" + root.resolve("sandbox")));
        words.addAll(options);
        words.addAll(List.of("-jar", jar.toString(), "--data", data.toString(), "--port", Integer.toString(port)));
        return words;
    }

    /** The top folder of the source tree, seen from wherever in it this process was started. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("standalone/pom.xml"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("this runs inside the source tree only, not in "
                    + Path.of("").toAbsolutePath());
        }
        return folder;
    }
}
