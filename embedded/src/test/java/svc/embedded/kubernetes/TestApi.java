package svc.embedded.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Starts the API with the definition of the tests' own custom resource in it. */
public final class TestApi {
    /** Generous: what is awaited comes within a second on an idle machine. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private TestApi() {}

    /** An API that keeps nothing and serves Gadgets. */
    public static EmbeddedKubernetes withGadgets() throws IOException {
        EmbeddedKubernetes api = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
        try (KubernetesClient client = client(api)) {
            define(client);
        }
        return api;
    }

    public static KubernetesClient client(EmbeddedKubernetes api) {
        return new KubernetesClientBuilder().withConfig(api.clientConfig()).build();
    }

    /** Creates the definition of Gadgets. */
    public static void define(KubernetesClient client) throws IOException {
        try (InputStream definition = TestApi.class.getResourceAsStream("gadgets.yaml")) {
            client.load(definition).create();
        }
    }

    /** Waits for something to become true, and fails with its name when it does not. */
    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        Instant limit = Instant.now().plus(LIMIT);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(limit)) {
                throw new AssertionError("did not happen within " + LIMIT + ": " + what);
            }
            Thread.sleep(10);
        }
    }
}
