package svc.operator.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.EmbeddedKubernetes.Settings;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;

/** The embedded API, in a folder so that it can be stopped and started again. Its one user is a cluster admin. */
final class EmbeddedCluster implements TestingCluster {
    private final Settings settings;
    private final Path folder;
    private EmbeddedKubernetes server;

    EmbeddedCluster() {
        try {
            this.folder = Files.createTempDirectory("svc-operator-tests-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.settings = new Settings(Optional.of(folder), FreePort.find());
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        resume();
    }

    @Override
    public Config adminConfig() {
        return server.clientConfig();
    }

    @Override
    public Config operatorConfig() {
        return adminConfig();
    }

    @Override
    public void kindsInstalled(KubernetesClient admin) {
        // It collects garbage from the start.
    }

    @Override
    public void interrupt() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void resume() {
        try {
            server = EmbeddedKubernetes.start(settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        interrupt();
        try {
            Folders.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
