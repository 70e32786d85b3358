package svc.server.functions;

import static svc.server.testing.Patience.await;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.arc.Arc;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.function.FunctionObject;
import svc.crds.function.ScaleSpec;
import svc.crds.reference.LocalReference;
import svc.functions.FunctionEndpoints;
import svc.functions.FunctionRoute;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProjectOperator;
import svc.testing.Http;

/**
 * A function as the operator provisions it, with processes that are HTTP servers of the test on unix sockets. An
 * EndpointSlice announces them, as the pod runner does.
 */
final class FunctionForTests implements AutoCloseable {
    static final String HASH = "sha256:" + "1".repeat(64);

    private static final Vertx VERTX = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

    private final KubernetesClient client;
    private final ProjectForTests project;
    private final EdgeFunction function;
    private final List<HttpServer> servers = new ArrayList<>();

    private FunctionForTests(KubernetesClient client, ProjectForTests project, EdgeFunction function) {
        this.client = client;
        this.project = project;
        this.function = function;
    }

    static FunctionForTests create(KubernetesClient client, ProjectForTests project, String name) {
        return create(client, project, name, true, new ScaleSpec(0, 3, 300));
    }

    static FunctionForTests create(
            KubernetesClient client, ProjectForTests project, String name, boolean verifyJwt, ScaleSpec scale) {
        var function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace(TestingPlatform.NAMESPACE)
                .withName(project.ref() + "-"
                        + name.toLowerCase(java.util.Locale.ROOT).replace('_', '-'))
                .build());
        function.setSpec(new EdgeFunctionSpec(
                new LocalReference(project.ref()), name, null, null, HASH, null, verifyJwt, null, scale));
        EdgeFunction made = client.resource(function).create();
        made = client.resource(made).editStatus(found -> {
            found.setStatus(svc.crds.function.EdgeFunctionStatus.empty().toBuilder()
                    .observedGeneration(found.getMetadata().getGeneration())
                    .conditions(found.conditions()
                            .markTrue("BundleReady", "Bundled", "")
                            .markTrue("Available", "Idle", "")
                            .at(Instant.now()))
                    .url("http://" + project.ref() + ".data.example/functions/v1/" + name)
                    .version(1L)
                    .hash(HASH)
                    .build());
            return found;
        });
        var result = new FunctionForTests(client, project, made);
        result.deploy();
        result.awaitRoute(name);
        return result;
    }

    EdgeFunction resource() {
        return function;
    }

    String object() {
        return FunctionObject.name(function.getMetadata().getName());
    }

    /** Requests of a signed-out application. */
    Http http() {
        return project.http().with("apikey", project.anonKey());
    }

    private void deploy() {
        client.resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withNamespace(TestingPlatform.NAMESPACE)
                        .withName(object())
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(0)
                        .endSpec()
                        .build())
                .create();
    }

    int replicas() {
        return deployment().getSpec().getReplicas();
    }

    private Deployment deployment() {
        return client.apps()
                .deployments()
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(object())
                .get();
    }

    void awaitReplicas(int replicas) {
        await().alias(replicas + " processes")
                .pollInterval(Duration.ofMillis(20))
                .until(() -> replicas() == replicas);
    }

    void scale(int replicas) {
        TestingProjectOperator.retried(() -> client.apps()
                .deployments()
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(object())
                .edit(found -> {
                    found.getSpec().setReplicas(replicas);
                    return found;
                }));
    }

    Path socket(int number) {
        return TestingPlatform.SOCKETS
                .resolve(TestingPlatform.NAMESPACE)
                .resolve(object())
                .resolve(number + ".sock");
    }

    /** Starts a ready process, and waits until the gateway knows it. */
    FunctionForTests serving(Consumer<HttpServerRequest> handler) {
        listen(handler);
        scale(servers.size());
        tell(servers.size());
        awaitKnown();
        return this;
    }

    /** Starts a server without announcing it. */
    HttpServer listen(Consumer<HttpServerRequest> handler) {
        try {
            Path socket = socket(servers.size());
            Files.createDirectories(socket.getParent());
            Files.deleteIfExists(socket);
            HttpServer server = VERTX.createHttpServer()
                    .requestHandler(handler::accept)
                    .listen(SocketAddress.domainSocketAddress(socket.toString()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            servers.add(server);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the number of ready processes. */
    void tell(int processes) {
        tell(IntStream.range(0, processes).mapToObj(n -> n + ".sock").toList(), Map.of());
    }

    void tell(List<String> addresses, Map<String, String> labels) {
        var slice = new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace(TestingPlatform.NAMESPACE)
                .withName(object())
                .addToLabels("kubernetes.io/service-name", object())
                .addToLabels("svc.platform/purpose", "function")
                .addToLabels(labels)
                .endMetadata()
                .withAddressType("FQDN")
                .withEndpoints(addresses.stream()
                        .map(address -> new EndpointBuilder()
                                .withAddresses(address)
                                .withNewConditions()
                                .withReady(true)
                                .endConditions()
                                .build())
                        .toList())
                .build();
        put(slice);
    }

    void put(EndpointSlice slice) {
        client.resource(slice).forceConflicts().serverSideApply();
    }

    /** Waits until the gateway knows the function; a method that is not allowed starts no process. */
    private void awaitRoute(String name) {
        await().alias("the gateway knows the function")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> http().send("TRACE", "/functions/v1/" + name).status() == 405);
    }

    private void awaitKnown() {
        // A probing call would start a process: so the gateway is not called here.
        await().alias("the gateway knows the processes")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> known().size() == servers.size());
    }

    /** The processes that the gateway knows, each the same object as long as it is known. */
    List<?> known() {
        return Arc.container()
                .instance(FunctionEndpoints.class)
                .get()
                .of(new FunctionRoute.Key(TestingPlatform.NAMESPACE, object()));
    }

    static Vertx vertx() {
        return VERTX;
    }

    @Override
    public void close() {
        servers.forEach(server ->
                server.close().toCompletionStage().toCompletableFuture().join());
        client.resource(function).delete();
    }
}
