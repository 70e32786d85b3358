package svc.operator.function;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.function.ScaleSpec;
import svc.crds.reference.LocalReference;
import svc.crds.reference.SecretKeyReference;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretSpec;
import svc.crds.secret.SecretSource;
import svc.operator.testing.TestingOperator;

/** Functions of a {@link TestingOperator}'s namespace; plays the cluster, which starts processes, by hand. */
public final class TestingFunctions {
    public static final String FIRST = "sha256:" + "1".repeat(64);
    public static final String SECOND = "sha256:" + "2".repeat(64);

    private final TestingOperator operator;

    public TestingFunctions(TestingOperator operator) {
        this.operator = operator;
    }

    /** A function {@code name} of the project, under a resource of the name {@code resource}. */
    public EdgeFunction create(String resource, String project, String name, String contentHash) {
        return create(
                resource,
                new EdgeFunctionSpec(
                        new LocalReference(project), name, null, null, contentHash, null, null, null, null));
    }

    public EdgeFunction create(String resource, EdgeFunctionSpec spec) {
        var function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace(operator.namespace())
                .withName(resource)
                .build());
        function.setSpec(spec);
        return operator.client().resource(function).create();
    }

    /** A function and a secret of it as the Management API makes them, under resources of one name. */
    public void madeByApi(String resource, String project, String ref) {
        Map<String, String> labels = Map.of("app.kubernetes.io/managed-by", "svc-api", "svc.platform/ref", ref);
        create(resource, project, "made", FIRST);
        secret(resource, project, "made", "WORD", "no-value");
        // By name: an object at hand would be sent with the version that it has, which the operator may have passed.
        for (Class<? extends HasMetadata> kind : List.of(EdgeFunction.class, FunctionSecret.class)) {
            TestingOperator.retried(() -> operator.client()
                    .resources(kind)
                    .inNamespace(operator.namespace())
                    .withName(resource)
                    .edit(found -> {
                        found.getMetadata().setLabels(labels);
                        return found;
                    }));
        }
    }

    /** Whether the function, and its secret, are there. */
    public List<Boolean> exist(String resource) {
        return Stream.of(EdgeFunction.class, FunctionSecret.class)
                .map(kind -> operator.client()
                                .resources(kind)
                                .inNamespace(operator.namespace())
                                .withName(resource)
                                .get()
                        != null)
                .toList();
    }

    public static EdgeFunctionSpec source(String project, String name, String source) {
        return new EdgeFunctionSpec(new LocalReference(project), name, source, null, null, null, null, null, null);
    }

    public static EdgeFunctionSpec scaled(String project, String name, ScaleSpec scale) {
        return new EdgeFunctionSpec(new LocalReference(project), name, null, null, FIRST, null, null, null, scale);
    }

    public void edit(String resource, UnaryOperator<EdgeFunctionSpec> change) {
        TestingOperator.retried(() -> operator.client()
                .resources(EdgeFunction.class)
                .inNamespace(operator.namespace())
                .withName(resource)
                .edit(function -> {
                    function.setSpec(change.apply(function.getSpec()));
                    return function;
                }));
    }

    public static EdgeFunctionSpec withHash(EdgeFunctionSpec spec, String contentHash) {
        return new EdgeFunctionSpec(
                spec.projectRef(),
                spec.name(),
                null,
                null,
                contentHash,
                null,
                spec.verifyJwt(),
                spec.resources(),
                spec.scale());
    }

    public void delete(String resource) {
        operator.client()
                .resources(EdgeFunction.class)
                .inNamespace(operator.namespace())
                .withName(resource)
                .delete();
    }

    /** What the control plane's bundler writes. */
    public void bundled(String resource, String sourceHash, String contentHash, String message) {
        String bundle = "\"sourceHash\":\"" + sourceHash + "\""
                + (contentHash == null ? "" : ",\"contentHash\":\"" + contentHash + "\"")
                + (message == null ? "" : ",\"message\":\"" + message + "\"");
        operator.client()
                .resources(EdgeFunction.class)
                .inNamespace(operator.namespace())
                .withName(resource)
                .subresource("status")
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager("svc-bundler")
                                .withForce(true)
                                .build(),
                        "{\"apiVersion\":\"svc.platform/v1alpha1\",\"kind\":\"EdgeFunction\",\"metadata\":{\"name\":\""
                                + resource + "\"},\"status\":{\"bundle\":{" + bundle + "}}}");
    }

    /** What a cluster does with a Deployment whose processes come up. */
    public void started(String resource) {
        Deployment deployment = deployment(resource, found -> true);
        int replicas = deployment.getSpec().getReplicas();
        status(deployment, replicas, replicas);
    }

    /** Starts processes as often as the operator changes the Deployment, until the function is ready. */
    public EdgeFunction served(String resource) {
        return await(resource, function -> {
            started(resource);
            return function.isReady();
        });
    }

    /** What a cluster says while one process of the old version runs and one of the new one starts. */
    public void status(Deployment deployment, int updated, int ready) {
        TestingOperator.retried(() -> operator.client()
                .apps()
                .deployments()
                .inNamespace(operator.namespace())
                .withName(deployment.getMetadata().getName())
                .editStatus(found -> {
                    found.setStatus(new DeploymentStatusBuilder()
                            .withObservedGeneration(found.getMetadata().getGeneration())
                            .withReplicas(Math.max(updated, ready))
                            .withUpdatedReplicas(updated)
                            .withReadyReplicas(ready)
                            .build());
                    return found;
                }));
    }

    /** The Deployment as soon as it is as wanted. */
    public Deployment deployment(String resource, Predicate<Deployment> wanted) {
        return Awaitility.await("Deployment of " + resource)
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> operator.client()
                                .apps()
                                .deployments()
                                .inNamespace(operator.namespace())
                                .withName("fn-" + resource)
                                .get(),
                        found -> found != null && found.getSpec().getReplicas() != null && wanted.test(found));
    }

    public static String annotation(Deployment deployment, String name) {
        return deployment.getSpec().getTemplate().getMetadata().getAnnotations().get(name);
    }

    public Deployment running(String resource, String contentHash) {
        return deployment(resource, found -> contentHash.equals(annotation(found, "svc.platform/bundle-hash")));
    }

    /** The environment's Secret, decoded, with the names that the function sees. */
    public Map<String, String> environment(String resource) {
        Secret secret = operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName("fn-" + resource + "-env")
                .get();
        return secret == null
                ? Map.of()
                : secret.getData().entrySet().stream()
                        .collect(java.util.stream.Collectors.toMap(
                                entry -> entry.getKey().replaceFirst("^SVC_RUNTIME_ENV_", ""),
                                entry -> new String(
                                        Base64.getDecoder().decode(entry.getValue()), StandardCharsets.UTF_8)));
    }

    public EdgeFunction await(String resource, Predicate<EdgeFunction> condition) {
        return await(EdgeFunction.class, resource, condition);
    }

    public FunctionSecret awaitSecret(String resource, Predicate<FunctionSecret> condition) {
        return await(FunctionSecret.class, resource, condition);
    }

    private <T extends HasMetadata> T await(Class<T> kind, String resource, Predicate<T> condition) {
        return Awaitility.await(resource)
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> operator.client()
                                .resources(kind)
                                .inNamespace(operator.namespace())
                                .withName(resource)
                                .get(),
                        found -> found != null && condition.test(found));
    }

    /** Ready is not True, for that reason. */
    public static Predicate<EdgeFunction> because(String reason) {
        return function -> function.getStatus() != null
                && function.getMetadata()
                        .getGeneration()
                        .equals(function.getStatus().observedGeneration())
                && Conditions.in(function.getStatus().conditions(), "Ready")
                        .filter(ready -> !ready.isTrue() && ready.reason().equals(reason))
                        .isPresent();
    }

    public static Condition condition(EdgeFunction function, String type) {
        return Conditions.in(function.getStatus().conditions(), type).orElseThrow();
    }

    public FunctionSecret secret(String resource, String project, String function, String key, String secretName) {
        var secret = new FunctionSecret();
        secret.setMetadata(new ObjectMetaBuilder()
                .withNamespace(operator.namespace())
                .withName(resource)
                .build());
        secret.setSpec(new FunctionSecretSpec(
                new LocalReference(project),
                function,
                key,
                new SecretSource(new SecretKeyReference(secretName, "value"))));
        return operator.client().resource(secret).create();
    }

    /** A Secret with one value, watched as those that the API makes are. */
    public void value(String name, String value, Map<String, String> labels) {
        Map<String, String> all = new java.util.HashMap<>(labels);
        all.putIfAbsent("svc.platform/purpose", "function-secret");
        operator.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(operator.namespace())
                        .withName(name)
                        .withLabels(all)
                        .endMetadata()
                        .withStringData(Map.of("value", value))
                        .withData(Map.of(
                                "value", Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))))
                        .build())
                .serverSideApply();
    }

    public static Predicate<FunctionSecret> secretBecause(String type, String reason) {
        return secret -> secret.getStatus() != null
                && Conditions.in(secret.getStatus().conditions(), type)
                        .filter(found -> found.reason().equals(reason))
                        .isPresent();
    }
}
