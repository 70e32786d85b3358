package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.TestApi.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Java Operator SDK with its default configuration. */
class OperatorSdkTest extends ContractTest {
    private KubernetesClient client;
    private Operator operator;
    private final GadgetReconciler reconciler = new GadgetReconciler();

    @BeforeEach
    void start() throws Exception {
        client = api.client(namespace);
        operator = new Operator(overrider -> overrider.withKubernetesClient(api.client(namespace)));
        operator.register(reconciler, configuration -> configuration.settingNamespace(namespace));
        operator.start();
    }

    @AfterEach
    void stop() throws Exception {
        operator.stop();
        client.close();
    }

    @Test
    void reconcilesCreationChangeAndDeletion() throws Exception {
        client.resource(gadget("one", 1)).create();
        await("one is ready", () -> ready("one", 1));
        Gadget made = get("one");
        assertThat(made.getMetadata().getFinalizers()).hasSize(1);
        ConfigMap settings = client.configMaps().withName("one").get();
        assertThat(settings.getData()).containsEntry("size", "1");
        assertThat(settings.getMetadata().getOwnerReferences().getFirst().getUid())
                .isEqualTo(made.getMetadata().getUid());

        client.resources(Gadget.class).withName("one").edit(current -> {
            current.getSpec().size = 2;
            return current;
        });
        await("the new size is observed", () -> ready("one", 2));
        await(
                "the dependent follows",
                () -> "2"
                        .equals(client.configMaps()
                                .withName("one")
                                .get()
                                .getData()
                                .get("size")));

        client.configMaps().withName("one").delete();
        await(
                "a dependent removed by hand comes back",
                () -> client.configMaps().withName("one").get() != null);

        client.resources(Gadget.class).withName("one").delete();
        await("the gadget is gone", () -> get("one") == null);
        assertThat(reconciler.cleaned).hasValue(1);
        await(
                "its dependent is collected",
                () -> client.configMaps().withName("one").get() == null);
    }

    @Test
    void aConvergedGadgetIsNotReconciledAgain() throws Exception {
        client.resource(gadget("calm", 1)).create();
        await("calm is ready", () -> ready("calm", 1));
        // The events of its own status and of its dependent may still cause a reconciliation or two.
        await("nothing happens for a second", this::isCalmForASecond);
    }

    private boolean isCalmForASecond() {
        String version = get("calm").getMetadata().getResourceVersion();
        int reconciled = reconciler.reconciled.get();
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return reconciler.reconciled.get() == reconciled
                && get("calm").getMetadata().getResourceVersion().equals(version);
    }

    @Test
    void reconcilesTwoHundredGadgets() throws Exception {
        List<Thread> creators = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Gadget gadget = gadget("many-" + i, 1);
            creators.add(Thread.ofVirtual().start(() -> client.resource(gadget).create()));
        }
        for (Thread creator : creators) {
            creator.join();
        }
        await(
                "all are ready",
                () -> client.resources(Gadget.class).list().getItems().stream()
                                .filter(gadget -> gadget.getStatus() != null
                                        && !gadget.getStatus().conditions.isEmpty())
                                .count()
                        == 200);
    }

    private boolean ready(String name, long generation) {
        Gadget gadget = get(name);
        return gadget.getStatus() != null && Objects.equals(gadget.getStatus().observedGeneration, generation);
    }

    private Gadget get(String name) {
        return client.resources(Gadget.class).withName(name).get();
    }

    private Gadget gadget(String name, int size) {
        Gadget gadget = new Gadget();
        gadget.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
        gadget.setSpec(new Gadget.Spec());
        gadget.getSpec().ref = "gadget";
        gadget.getSpec().size = size;
        return gadget;
    }
}
