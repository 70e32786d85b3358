package svc.operator.function;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.Optional;
import java.util.stream.Stream;
import svc.crds.function.EdgeFunction;
import svc.crds.function.FunctionObject;
import svc.crds.function.ScaleSpec;
import svc.operator.function.desired.DesiredFunction;
import svc.operator.function.desired.FunctionObjects;
import svc.operator.kubernetes.OwnedObjects;
import svc.operator.kubernetes.OwnedObjects.Result;

/** Applies, scales and deletes the Kubernetes objects of a function. */
final class FunctionSteps {
    /** The field manager for scaling differs from the one that applies, so that no apply resets the replicas. */
    private static final String SCALING = "svc-scaling";

    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final OwnedObjects objects;

    FunctionSteps(KubernetesClient client) {
        this.client = client;
        this.objects = new OwnedObjects(client);
    }

    /** The function's objects in the informers' caches. */
    record Known(
            Optional<NetworkPolicy> policy,
            Optional<Secret> environment,
            Optional<Service> service,
            Optional<Deployment> deployment) {
        static Known of(Context<EdgeFunction> context) {
            return new Known(
                    context.getSecondaryResource(NetworkPolicy.class),
                    context.getSecondaryResource(Secret.class),
                    context.getSecondaryResource(Service.class),
                    context.getSecondaryResource(Deployment.class));
        }

        Stream<HasMetadata> all() {
            return Stream.<Optional<? extends HasMetadata>>of(deployment, service, environment, policy)
                    .flatMap(Optional::stream);
        }
    }

    /**
     * Applies the objects that differ.
     *
     * @return the first object that exists and is not owned by the function; later objects were not applied
     */
    Optional<String> apply(DesiredFunction desired, Known known) {
        EdgeFunction function = desired.function();
        FunctionObjects wanted = FunctionObjects.of(desired);
        if (objects.reconcile(function, wanted.policy(), known.policy()) == Result.NOT_OWNED) {
            return Optional.of("NetworkPolicy " + wanted.policy().getMetadata().getName());
        }
        if (objects.reconcile(function, wanted.environment(), known.environment()) == Result.NOT_OWNED) {
            return Optional.of("Secret " + wanted.environment().getMetadata().getName());
        }
        if (objects.reconcile(function, wanted.service(), known.service()) == Result.NOT_OWNED) {
            return Optional.of("Service " + wanted.service().getMetadata().getName());
        }
        if (objects.reconcile(function, wanted.deployment(), known.deployment()) == Result.NOT_OWNED) {
            return Optional.of("Deployment " + wanted.deployment().getMetadata().getName());
        }
        return Optional.empty();
    }

    /**
     * Keeps the replicas within the bounds of the spec; between them the gateway decides. A version that has never served is
     * started once, to verify that it starts.
     */
    void scale(EdgeFunction function, Optional<Deployment> known, boolean enabled, boolean served) {
        ScaleSpec scale = function.getSpec().scale();
        int max = Math.max(scale.min(), scale.max());
        // A new Deployment has no replicas yet: writes the number explicitly instead of the default of Kubernetes.
        Integer now = known.map(found -> found.getSpec().getReplicas()).orElse(null);
        int min = !enabled ? 0 : served ? scale.min() : Math.max(1, scale.min());
        int wanted = enabled ? Math.clamp(now == null ? min : now, min, max) : 0;
        if (now != null && now == wanted) {
            return;
        }
        write(function, now, wanted);
    }

    /** Replaces only the number that was observed: a later change by the gateway triggers a reconciliation and must not be overwritten. */
    private void write(EdgeFunction function, Integer seen, int wanted) {
        String test = seen == null ? "" : "{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":" + seen + "},";
        try {
            client.apps()
                    .deployments()
                    .inNamespace(function.getMetadata().getNamespace())
                    .withName(FunctionObject.name(function.getMetadata().getName()))
                    .patch(
                            new PatchContext.Builder()
                                    .withPatchType(PatchType.JSON)
                                    .withFieldManager(SCALING)
                                    .build(),
                            "[" + test + "{\"op\":\"add\",\"path\":\"/spec/replicas\",\"value\":" + wanted + "}]");
        } catch (KubernetesClientException e) {
            // HTTP status of a failed test operation.
            if (seen == null || e.getCode() != UNPROCESSABLE) {
                throw e;
            }
        }
    }

    /** Deletes the objects of the function, the Deployment first. */
    void withdraw(EdgeFunction function, Known known) {
        known.all().forEach(object -> objects.remove(function, object));
    }
}
