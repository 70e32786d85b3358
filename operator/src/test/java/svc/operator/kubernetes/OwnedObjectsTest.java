package svc.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.operator.testing.TestingApi;

/** What is taken for a difference between an object and its desired state. */
class OwnedObjectsTest {
    private final OwnedObjects objects = new OwnedObjects(TestingApi.client());

    @Test
    void amountsAreComparedByTheirValue() {
        assertThat(objects.matches(pod("500m", "1Gi"), pod("0.5", "1024Mi"))).isTrue();
        assertThat(objects.matches(pod("500m", "1Gi"), pod("0.6", "1024Mi"))).isFalse();
        assertThat(objects.matches(pod("500m", "1Gi"), pod("500m", "1G"))).isFalse();
    }

    @Test
    void aSettingThatIsTakenBackIsADifference() {
        Pod plain = pod("1", "1Gi");
        Pod placed = new PodBuilder(plain)
                .editMetadata()
                .withAnnotations(Map.of("svc.platform/settings-hash", "a"))
                .endMetadata()
                .editSpec()
                .withPriorityClassName("high")
                .endSpec()
                .build();

        assertThat(objects.matches(placed, plain)).isFalse();
        assertThat(objects.matches(plain, placed)).isFalse();
        assertThat(objects.matches(placed, placed)).isTrue();
    }

    private static Pod pod(String cpu, String memory) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("one")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withNewResources()
                .withLimits(Map.of("cpu", new Quantity(cpu), "memory", new Quantity(memory)))
                .endResources()
                .endContainer()
                .addNewVolume()
                .withName("tmp")
                .withNewEmptyDir()
                .withSizeLimit(new Quantity(memory))
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .build();
    }
}
