package svc.e2e.platform;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The packaged API server in one of its roles, as a pod of it is: a process of its own with an account of its own. */
public final class ApiServerProcess implements AutoCloseable {
    private static final Path JAR =
            PlatformCommand.root().resolve("api-server/server/target/quarkus-app/quarkus-run.jar");
    private static final List<String> OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Dsvc.sandbox.home=" + PlatformCommand.root().resolve("sandbox"));

    private final PodProcess pod;

    private ApiServerProcess(PodProcess pod) {
        this.pod = pod;
    }

    /**
     * Starts it and returns when it takes requests.
     *
     * @param access to the Kubernetes API, as the account of its pods
     * @param log where it writes what it has to say
     */
    public static ApiServerProcess start(Config access, Map<String, String> settings, Path log)
            throws IOException, InterruptedException {
        return new ApiServerProcess(PodProcess.start(JAR, OPTIONS, access, settings, log));
    }

    /** The same, but returns when it is alive: nothing that it depends on need be there. */
    public static ApiServerProcess startAlone(Config access, Map<String, String> settings, Path log)
            throws IOException, InterruptedException {
        return new ApiServerProcess(PodProcess.start(JAR, OPTIONS, access, settings, log, "live"));
    }

    /** On the loopback interface. */
    public URI address(String path) {
        return pod.address(path);
    }

    @Override
    public void close() {
        pod.close();
    }
}
