package svc.embedded.pods;

import static svc.embedded.kubernetes.TestApi.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.TestApi;
import svc.embedded.process.Folders;

/** A test on functions that really run: a Kubernetes API, a pod runner on it, Deno. One machine for all of a class. */
public abstract class FunctionsTest {
    protected static final String NAMESPACE = "default";
    protected static final String TOKEN = "runtime-token-that-nobody-may-read";

    protected static EmbeddedKubernetes kubernetes;
    protected static KubernetesClient client;
    protected static PodRunner runner;
    protected static Path folder;

    private static final ObjectMapper JSON = new ObjectMapper();

    @BeforeAll
    protected static void startMachine() throws Exception {
        folder = Files.createTempDirectory("svc-fn");
        // Functions run as users of their own, who must get to what is theirs.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
        client = TestApi.client(kubernetes);
        runner = PodRunner.start(kubernetes, settings());
    }

    @AfterAll
    static void stopMachine() throws Exception {
        runner.close();
        client.close();
        kubernetes.close();
        Folders.deleteRecursively(folder);
    }

    protected static PodRunner.Settings settings() {
        return settings(folder);
    }

    /** Of a runner in a folder {@code run} of the given one. */
    protected static PodRunner.Settings settings(Path parent) {
        return new PodRunner.Settings(
                parent.resolve("run"),
                Path.of("../sandbox").toAbsolutePath().normalize(),
                Optional.empty(),
                "localhost");
    }

    /** Deploys a function and waits until it takes requests. */
    protected static void deploy(String name, String code, Map<String, String> variables) throws Exception {
        declare(name, code, variables, 1);
        try {
            await(name + " serves", () -> endpoints(name).size() == 1);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ", but: " + log(name) + pods(name), e);
        }
    }

    protected static void deploy(String name, String code) throws Exception {
        deploy(name, code, Map.of());
    }

    /** Writes Secret and Deployment as the operator does. */
    protected static void declare(String name, String code, Map<String, String> variables, int replicas)
            throws IOException {
        Path bundle = Files.writeString(folder.resolve(name + "-" + code.hashCode() + ".js"), code);
        Map<String, String> secret = new TreeMap<>(Map.of("SVC_RUNTIME_TOKEN", TOKEN, "SVC_PROJECT_REF", "abcdefgh"));
        Map<String, String> settings =
                new TreeMap<>(Map.of("SVC_RUNTIME_BUNDLE", bundle.toUri().toString(), "SVC_RUNTIME_FUNCTION", name));
        variables.forEach((key, value) -> (key.startsWith("SVC_RUNTIME_") ? settings : secret).put(key, value));
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name + "-env")
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .withStringData(secret)
                        .build())
                .forceConflicts()
                .serverSideApply();
        client.resource(deployment(name, settings, secret.hashCode(), replicas))
                .forceConflicts()
                .serverSideApply();
    }

    private static Deployment deployment(String name, Map<String, String> settings, int environment, int replicas) {
        var builder = new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .addToMatchLabels("function", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("function", name)
                .addToAnnotations("environment", Integer.toString(environment))
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(10L)
                .addNewContainer()
                .withName("function")
                .withImage("svc/function-runtime")
                .addNewEnvFrom()
                .withNewSecretRef()
                .withName(name + "-env")
                .endSecretRef()
                .endEnvFrom()
                .withNewResources()
                .addToLimits("memory", new io.fabric8.kubernetes.api.model.Quantity("256Mi"))
                .endResources()
                // Who has just read where it listens still finds it there.
                .withNewLifecycle()
                .withNewPreStop()
                .withNewSleep(1L)
                .endPreStop()
                .endLifecycle()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec();
        var container = builder.editSpec().editTemplate().editSpec().editFirstContainer();
        settings.forEach((key, value) ->
                container.addNewEnv().withName(key).withValue(value).endEnv());
        return container.endContainer().endSpec().endTemplate().endSpec().build();
    }

    /** The sockets that the EndpointSlice of a function names. */
    protected static List<String> endpoints(String name) {
        var slice = client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace(NAMESPACE)
                .withName(name)
                .get();
        return slice == null
                ? List.of()
                : slice.getEndpoints().stream()
                        .flatMap(endpoint -> endpoint.getAddresses().stream())
                        .toList();
    }

    protected static Path socket(String name) {
        return runner.sockets().resolve(NAMESPACE).resolve(name).resolve("0.sock");
    }

    protected static SocketClient.Reply call(String name, String target) throws IOException {
        return SocketClient.get(socket(name), target);
    }

    protected static JsonNode json(SocketClient.Reply reply) throws IOException {
        return JSON.readTree(reply.body());
    }

    protected static List<Pod> pods(String name) {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withLabel("function", name)
                .list()
                .getItems();
    }

    /** What the one pod of a function has said. */
    protected static List<JsonNode> log(String name) throws IOException {
        String text = client.pods()
                .inNamespace(NAMESPACE)
                .withName(pods(name).getFirst().getMetadata().getName())
                .getLog();
        var lines = new java.util.ArrayList<JsonNode>();
        for (String line : text.split("\n")) {
            if (!line.isEmpty()) {
                lines.add(JSON.readTree(line));
            }
        }
        return lines;
    }

    /** Whether a line of the log has this in its message. */
    protected static boolean logSays(String name, String text) {
        try {
            return log(name).stream()
                    .anyMatch(line -> line.path("message").asText().contains(text));
        } catch (IOException e) {
            return false;
        }
    }

    protected static void scale(String name, int replicas) {
        client.apps().deployments().inNamespace(NAMESPACE).withName(name).scale(replicas);
    }
}
