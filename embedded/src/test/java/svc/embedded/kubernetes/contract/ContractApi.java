package svc.embedded.kubernetes.contract;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;
import java.util.stream.Stream;
import svc.embedded.cluster.ControlPlane;
import svc.embedded.kubernetes.Credentials;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.EmbeddedKubernetes.Settings;
import svc.embedded.kubernetes.TestApi;

/**
 * A Kubernetes API under contract, started once per JVM with the Gadget definitions installed: always the embedded one, and
 * kube-apiserver where the system property {@value #PROGRAM} names the program that {@code e2e/kubernetes} builds.
 */
public final class ContractApi {
    /** Set by {@code ./svc test}; a kubeconfig in it is ignored, because the contract installs definitions of its own. */
    static final String PROGRAM = "testing.kubernetes";

    private final String name;
    private final boolean embedded;
    private final Config config;

    private ContractApi(String name, boolean embedded, Config config) {
        this.name = name;
        this.embedded = embedded;
        this.config = config;
    }

    /** The APIs that every contract test runs on. */
    public static Stream<ContractApi> all() {
        return hasProgram() ? Stream.of(Embedded.API, Real.API) : Stream.of(Embedded.API);
    }

    /** Whether this API shows a documented deviation from kube-apiserver. */
    boolean has(KnownDifference difference) {
        Objects.requireNonNull(difference);
        return embedded;
    }

    /** An administrator's client settings. */
    Config config() {
        return config;
    }

    Credentials credentials() {
        String pem = new String(Base64.getDecoder().decode(config.getCaCertData()), StandardCharsets.US_ASCII);
        return new Credentials(config.getMasterUrl().replaceAll("/$", ""), config.getOauthToken(), pem);
    }

    KubernetesClient client(String namespace) {
        Config own = new ConfigBuilder(config).withNamespace(namespace).build();
        return new KubernetesClientBuilder().withConfig(own).build();
    }

    @Override
    public String toString() {
        return name;
    }

    private static boolean hasProgram() {
        Path file = Path.of(System.getProperty(PROGRAM, ""));
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    private static void install(Config config) throws IOException {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            TestApi.define(client);
            try (var rules = ContractApi.class.getResourceAsStream("/svc/embedded/kubernetes/schema/widgets.yaml")) {
                client.load(rules).create();
            }
        }
    }

    /** Initialised at the first use. */
    private static final class Embedded {
        private static final ContractApi API = start();

        private static ContractApi start() {
            try {
                EmbeddedKubernetes server = EmbeddedKubernetes.start(Settings.inMemory());
                install(server.clientConfig());
                return new ContractApi("embedded", true, server.clientConfig());
            } catch (IOException e) {
                throw new UncheckedIOException("while starting the embedded API", e);
            }
        }
    }

    /** Initialised at the first use; kube-apiserver takes seconds to start. */
    private static final class Real {
        private static final ContractApi API = start();

        private static ContractApi start() {
            try {
                ControlPlane plane = ControlPlane.start(Path.of(System.getProperty(PROGRAM)));
                Runtime.getRuntime().addShutdownHook(new Thread(plane::close, "stop-kube-apiserver"));
                install(plane.adminConfig());
                // The garbage collector looks for new definitions every 30 s: they are installed first.
                plane.startControllers();
                return new ContractApi("kube-apiserver", false, plane.adminConfig());
            } catch (IOException e) {
                throw new UncheckedIOException("while starting kube-apiserver", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting kube-apiserver", e);
            }
        }
    }
}
