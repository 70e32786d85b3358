package svc.server.testing.function;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionCondition;
import svc.crds.function.EdgeFunctionStatus;
import svc.crds.function.FunctionVersion;
import svc.crds.function.SourceHash;

/**
 * Writes an EdgeFunction's status as the operator would, without processes. It ignores functions whose name begins with
 * {@code stuck}; those whose name begins with {@code broken} fail to start.
 */
final class TestingFunctionOperator implements AutoCloseable {
    private static final int CONFLICT = 409;

    private final KubernetesClient client;
    private final SharedIndexInformer<EdgeFunction> informer;

    TestingFunctionOperator(KubernetesClient client) {
        this.client = client;
        this.informer = client.resources(EdgeFunction.class).inAnyNamespace().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(EdgeFunction function) {
                reconcile(function);
            }

            @Override
            public void onUpdate(EdgeFunction before, EdgeFunction function) {
                reconcile(function);
            }

            @Override
            public void onDelete(EdgeFunction function, boolean finalStateUnknown) {}
        });
    }

    private void reconcile(EdgeFunction function) {
        String hash = code(function);
        boolean done = function.getStatus() != null
                && function.getMetadata()
                        .getGeneration()
                        .equals(function.getStatus().observedGeneration())
                && (hash == null
                        || function.isFailed()
                        || hash.equals(function.getStatus().hash()));
        if (done || function.isMarkedForDeletion() || function.getSpec().name().startsWith("stuck")) {
            return;
        }
        try {
            write(function);
        } catch (KubernetesClientException e) {
            // A concurrent change; the watch will report it.
            if (e.getCode() != CONFLICT) {
                throw e;
            }
        }
    }

    private void write(EdgeFunction function) {
        client.resources(EdgeFunction.class)
                .inNamespace(function.getMetadata().getNamespace())
                .withName(function.getMetadata().getName())
                .editStatus(current -> {
                    current.setStatus(status(current, code(current)));
                    return current;
                });
    }

    private static String code(EdgeFunction function) {
        if (function.getSpec().contentHash() != null) {
            return function.getSpec().contentHash();
        }
        var bundle = function.getStatus() == null ? null : function.getStatus().bundle();
        return bundle != null && bundle.isOf(SourceHash.of(function.getSpec())) ? bundle.contentHash() : null;
    }

    private static EdgeFunctionStatus status(EdgeFunction function, String hash) {
        EdgeFunctionStatus before = function.getStatus() == null ? EdgeFunctionStatus.empty() : function.getStatus();
        Conditions conditions = function.conditions();
        EdgeFunctionStatus.Builder status =
                before.toBuilder().observedGeneration(function.getMetadata().getGeneration());
        if (hash == null) {
            return status.conditions(conditions
                            .markUnknown(EdgeFunctionCondition.BUNDLE_READY, "BundlePending", "waits for its bundle")
                            .at(Instant.now()))
                    .build();
        }
        conditions = conditions.markTrue(EdgeFunctionCondition.BUNDLE_READY, "Bundled", "");
        if (function.getSpec().name().startsWith("broken")) {
            return status.conditions(conditions
                            .markFalse(EdgeFunctionCondition.AVAILABLE, "DoesNotStart", "its process ends at once")
                            .at(Instant.now()))
                    .build();
        }
        if (!hash.equals(before.hash())) {
            long version = before.version() == null ? 1 : before.version() + 1;
            List<FunctionVersion> history = new ArrayList<>(before.history());
            history.addFirst(new FunctionVersion(version, hash, Instant.now()));
            status.version(version)
                    .hash(hash)
                    .history(history.subList(0, Math.min(history.size(), EdgeFunctionStatus.HISTORY)));
        }
        return status.conditions(conditions
                        .markTrue(EdgeFunctionCondition.AVAILABLE, "Serving", "")
                        .at(Instant.now()))
                .url("http://functions.example/" + function.getSpec().name())
                .build();
    }

    @Override
    public void close() {
        informer.close();
    }
}
