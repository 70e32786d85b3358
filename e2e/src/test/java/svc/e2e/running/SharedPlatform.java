package svc.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * Gives tests one platform, started with the first test of the module that asks for it and stopped after the last. Tests
 * share it as tenants do: each makes projects of its own, and none stops it.
 */
public final class SharedPlatform implements ParameterResolver {
    /** How long tests wait for what the platform does by itself, on a busy machine. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(90);

    private static final Namespace NAMESPACE = Namespace.create(SharedPlatform.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Platform.class;
    }

    @Override
    public Platform resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class)
                .platform();
    }

    private record Running(Path data, Platform platform) implements AutoCloseable {
        static Running start() {
            try {
                // PostgreSQL may run as another user, who has to get through to it: the folder itself is the data
                // folder,
                // which the platform opens as far as needed, and none that only this user may enter is above it.
                Path data = Files.createTempDirectory("svc-e2e-");
                // What tenants run elsewhere runs on this machine in tests.
                PlatformCommand command = PlatformCommand.onFreePorts(data)
                        .with("-Dsvc.api.egress.open=127.0.0.1/32")
                        .with("-Dsvc.project-servers.networks=127.0.0.0/8,::1")
                        .with("-Dsvc.api.postgres.port=0")
                        .with("-Dsvc.realtime.sidecar.idle=3s")
                        .with("-Dsvc.realtime.sidecar.idle-check=500ms");
                return new Running(data, Platform.start(command));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            platform.close();
            Folders.deleteRecursively(data);
        }
    }
}
