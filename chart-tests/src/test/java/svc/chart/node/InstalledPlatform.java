package svc.chart.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.chart.support.Chart;

/** The chart as Helm installs it on a node, and its planes as clients reach them: through their Services. */
final class InstalledPlatform {
    static final String NAMESPACE = "svc-system";
    static final List<String> COMPONENTS = List.of("operator", "control-plane", "data-plane");

    private static final String DATA_HOST = "data.svc.test";
    private static final Pattern SERVICE_NAME =
            Pattern.compile("([a-z0-9-]+)\\.([a-z0-9-]+)\\.svc(\\.cluster\\.local)?");
    private static final int HTTP_PORT = 80;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration READY_LIMIT = Duration.ofMinutes(5);
    private static final Duration ANSWER_LIMIT = Duration.ofMinutes(1);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * Less than the defaults ask of a cluster, which a node of two cores has not; and every peer is named, so that the platform
     * works with the connections that docs/install.md lists, and no others.
     */
    private static final String VALUES = """
            platform: {dataHost: data.svc.test, apiHost: api.svc.test, scheme: http, closedNetworks: [203.0.113.0/24]}
            network:
              ingressFrom: [{ipBlock: {cidr: %1$s/32}}]
              dnsTo: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}, podSelector: {matchLabels: {k8s-app: kube-dns}}}]
              kubernetesTo: [{ipBlock: {cidr: %2$s/32}}]
              databaseTo: [{ipBlock: {cidr: %1$s/32}}]
              redisTo: [{ipBlock: {cidr: %1$s/32}}]
              s3To: [{ipBlock: {cidr: %1$s/32}}]
            operator: {replicaCount: 1, resources: {requests: {cpu: 50m, memory: 512Mi}}}
            controlPlane: {replicaCount: 1, resources: {requests: {cpu: 50m, memory: 1Gi}}}
            tests: {createProject: true}
            dataPlane: {replicaCount: 2, resources: {requests: {cpu: 50m, memory: 1Gi}}}
            """;

    private final KubernetesClient client;

    private InstalledPlatform(KubernetesClient client) {
        this.client = client;
    }

    /** Installs the chart, in a namespace that admits restricted pods only; does not wait for the pods. */
    static InstalledPlatform install(KubernetesClient client, NodeMachine node, HostServers servers, Path scratch)
            throws IOException {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build())
                .create();
        secret(client, "database", Map.of("password", servers.databasePassword()));
        secret(
                client,
                "s3",
                Map.of(
                        "access-key",
                        servers.s3Credentials().accessKey(),
                        "secret-key",
                        servers.s3Credentials().secretKey()));
        Path values = Files.writeString(
                scratch.resolve("values.yaml"),
                VALUES.formatted(node.hostAddress(), node.nodeAddress()) + servers.values());
        new Helm(Chart.FOLDER)
                .install()
                .withName(Chart.RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(node.kubeconfig())
                .withValuesFile(values)
                .call();
        return new InstalledPlatform(client);
    }

    void awaitReady() throws InterruptedException {
        for (String component : COMPONENTS) {
            Waiting.until("the " + component + " is ready", READY_LIMIT, () -> isReady(deployment(component)));
        }
    }

    Deployment deployment(String component) {
        return client.apps()
                .deployments()
                .inNamespace(NAMESPACE)
                .withName(Chart.RELEASE + "-" + component)
                .get();
    }

    List<Pod> pods(String component) {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withLabel("app.kubernetes.io/component", component)
                .list()
                .getItems();
    }

    /** Those that run functions of the project. */
    List<Pod> functionPods(String ref) {
        return client.pods().inNamespace(Shop.NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().contains(ref))
                .toList();
    }

    /** Where clients inside the cluster reach a component: the address of its Service. */
    InetSocketAddress service(String component) {
        return new InetSocketAddress(
                serviceAddress(Chart.RELEASE + "-" + component, NAMESPACE).orElseThrow(), HTTP_PORT);
    }

    /** What the cluster's name server says: names of Services, and the platform's own, which lead to its planes. */
    Optional<String> addressOf(String name) {
        if (name.endsWith("." + DATA_HOST)) {
            return serviceAddress(Chart.RELEASE + "-data-plane", NAMESPACE);
        }
        Matcher service = SERVICE_NAME.matcher(name);
        return service.matches() ? serviceAddress(service.group(1), service.group(2)) : Optional.empty();
    }

    private Optional<String> serviceAddress(String name, String namespace) {
        return Optional.ofNullable(
                        client.services().inNamespace(namespace).withName(name).get())
                .map(service -> service.getSpec().getClusterIP());
    }

    /** Runs the chart's own test, as an admin does after an installation. @return what Helm says of it */
    Release test(Path kubeconfig) {
        return Helm.test(Chart.RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .call();
    }

    /** Posts to {@code /v1}, as the admin. */
    HttpResponse<String> manage(String path, Object body) throws IOException {
        String token = new String(
                Base64.getDecoder()
                        .decode(client.secrets()
                                .inNamespace(NAMESPACE)
                                .withName("svc-admin-token")
                                .get()
                                .getData()
                                .get("token")),
                StandardCharsets.UTF_8);
        return send(request("control-plane", "/v1" + path, "api.svc.test")
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    /** Asks a project for something, with its key, through the data plane's Service. */
    HttpResponse<String> ask(String ref, String key, String path) throws IOException {
        return send(
                request("data-plane", path, hostOf(ref)).header("apikey", key).GET());
    }

    /** Sends a project a JSON document, with its key, through the data plane's Service. */
    HttpResponse<String> send(String ref, String key, String path, Object body) throws IOException {
        return send(request("data-plane", path, hostOf(ref))
                .header("apikey", key)
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    static String hostOf(String ref) {
        return ref + "." + DATA_HOST;
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    private HttpRequest.Builder request(String component, String path, String host) {
        return HttpRequest.newBuilder(URI.create("http://" + service(component).getHostString() + path))
                .timeout(ANSWER_LIMIT)
                .header("Host", host);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an answer", e);
        }
    }

    private static void secret(KubernetesClient client, String name, Map<String, String> data) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .withStringData(data)
                        .build())
                .create();
    }

    private static boolean isReady(Deployment deployment) {
        Integer ready = deployment.getStatus().getReadyReplicas();
        Integer updated = deployment.getStatus().getUpdatedReplicas();
        int wanted = deployment.getSpec().getReplicas();
        return ready != null
                && updated != null
                && ready == wanted
                && updated == wanted
                && deployment.getStatus().getReplicas() == wanted;
    }
}
