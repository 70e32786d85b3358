package svc.embedded.kubernetes.contract;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A minimal reconciler with a finalizer, a status and a dependent resource. */
@Workflow(dependents = @Dependent(type = GadgetReconciler.Settings.class))
@ControllerConfiguration
public final class GadgetReconciler implements Reconciler<Gadget>, Cleaner<Gadget> {
    final AtomicInteger reconciled = new AtomicInteger();
    final AtomicInteger cleaned = new AtomicInteger();

    @Override
    public UpdateControl<Gadget> reconcile(Gadget gadget, Context<Gadget> context) {
        reconciled.incrementAndGet();
        Gadget patch = new Gadget();
        patch.setMetadata(new ObjectMetaBuilder()
                .withName(gadget.getMetadata().getName())
                .withNamespace(gadget.getMetadata().getNamespace())
                .build());
        Gadget.Condition ready = new Gadget.Condition();
        ready.type = "Ready";
        ready.status = "True";
        ready.reason = "Made";
        Gadget.Status status = new Gadget.Status();
        status.observedGeneration = gadget.getMetadata().getGeneration();
        status.conditions = List.of(ready);
        patch.setStatus(status);
        return UpdateControl.patchStatus(patch);
    }

    @Override
    public DeleteControl cleanup(Gadget gadget, Context<Gadget> context) {
        cleaned.incrementAndGet();
        return DeleteControl.defaultDelete();
    }

    /** The dependent: created and matched by server-side apply. */
    @KubernetesDependent
    public static final class Settings extends CRUDKubernetesDependentResource<ConfigMap, Gadget> {
        /** For the framework. */
        public Settings() {
            super(ConfigMap.class);
        }

        @Override
        protected ConfigMap desired(Gadget gadget, Context<Gadget> context) {
            return new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName(gadget.getMetadata().getName())
                    .withNamespace(gadget.getMetadata().getNamespace())
                    .endMetadata()
                    .withData(Map.of("ref", gadget.getSpec().ref, "size", String.valueOf(gadget.getSpec().size)))
                    .build();
        }
    }
}
