package svc.operator.function;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import svc.crds.function.EdgeFunction;
import svc.crds.function.FunctionObject;
import svc.crds.function.ScaleSpec;
import svc.operator.function.desired.DesiredFunction;
import svc.operator.function.desired.FunctionObjects;
import svc.operator.function.status.Rollout;
import svc.operator.kubernetes.Labels;
import svc.operator.kubernetes.OwnedObjects;
import svc.operator.kubernetes.OwnedObjects.Kept;

/** The steps by which a function's objects come about, are scaled and go. */
final class FunctionSteps {
    /** Who scales is another than who applies, so that no apply takes the number of processes back. */
    private static final String SCALING = "svc-scaling";

    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private final OwnedObjects objects;

    FunctionSteps(KubernetesClient client) {
        this.client = client;
        this.objects = new OwnedObjects(client);
    }

    /** The function's objects as informers have them. */
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
     * Writes what differs.
     *
     * @return the name of an object that is somebody else's, and kept this one from being made
     */
    Optional<String> apply(DesiredFunction desired, Known known) {
        EdgeFunction function = desired.function();
        FunctionObjects wanted = FunctionObjects.of(desired);
        if (objects.keep(function, wanted.policy(), known.policy()) == Kept.NOT_OWNED) {
            return Optional.of("NetworkPolicy " + wanted.policy().getMetadata().getName());
        }
        if (objects.keep(function, wanted.environment(), known.environment()) == Kept.NOT_OWNED) {
            return Optional.of("Secret " + wanted.environment().getMetadata().getName());
        }
        if (objects.keep(function, wanted.service(), known.service()) == Kept.NOT_OWNED) {
            return Optional.of("Service " + wanted.service().getMetadata().getName());
        }
        if (objects.keep(function, wanted.deployment(), known.deployment()) == Kept.NOT_OWNED) {
            return Optional.of("Deployment " + wanted.deployment().getMetadata().getName());
        }
        return Optional.empty();
    }

    /**
     * Brings the number of processes within its bounds; between them it is the gateway's. A version that has not served yet
     * is started once, to see that it does.
     */
    void scale(EdgeFunction function, Optional<Deployment> known, boolean enabled, boolean served) {
        ScaleSpec scale = function.getSpec().scale();
        int most = Math.max(scale.min(), scale.max());
        // Just made, it has none: the default of Kubernetes is said in so many words.
        Integer now = known.map(found -> found.getSpec().getReplicas()).orElse(null);
        int least = !enabled ? 0 : served ? scale.min() : Math.max(1, scale.min());
        int wanted = enabled ? Math.clamp(now == null ? least : now, least, most) : 0;
        if (now != null && now == wanted) {
            return;
        }
        write(function, now, wanted);
    }

    /** Only over the number that was seen: a later word of the gateway wakes us again, and is not to be overwritten. */
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
            // What the API server says of a failed test: it could not process the entity.
            if (seen == null || e.getCode() != UNPROCESSABLE) {
                throw e;
            }
        }
    }

    /** Why processes of the version do not come up; asked only while they should. */
    Optional<String> trouble(EdgeFunction function, Optional<Deployment> known, String contentHash) {
        if (Rollout.of(known) != Rollout.UNDER_WAY) {
            return Optional.empty();
        }
        List<Pod> pods = client.pods()
                .inNamespace(function.getMetadata().getNamespace())
                .withLabel(
                        Labels.FUNCTION,
                        FunctionObject.name(function.getMetadata().getName()))
                .list()
                .getItems();
        return Rollout.trouble(pods, contentHash);
    }

    /** Takes the function down, its keys first. */
    void withdraw(EdgeFunction function, Known known) {
        known.all().forEach(object -> objects.remove(function, object));
    }
}
