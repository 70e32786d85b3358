package svc.operator.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import org.junit.jupiter.api.Test;

/** A kind that was just installed goes through stages in which it is not served yet; none of them is an error. */
class KindInstallationTest {
    @Test
    void itIsServedOnceItIsEstablished() {
        var withoutConditions = new CustomResourceDefinitionStatus();
        withoutConditions.setConditions(null);

        assertThat(KindInstallation.isServed(null)).isFalse();
        assertThat(KindInstallation.isServed(new CustomResourceDefinition())).isFalse();
        assertThat(KindInstallation.isServed(new CustomResourceDefinitionBuilder()
                        .withStatus(withoutConditions)
                        .build()))
                .isFalse();
        assertThat(KindInstallation.isServed(established("False"))).isFalse();
        assertThat(KindInstallation.isServed(established("True"))).isTrue();
    }

    private static CustomResourceDefinition established(String status) {
        return new CustomResourceDefinitionBuilder()
                .withNewStatus()
                .addNewCondition()
                .withType("Established")
                .withStatus(status)
                .endCondition()
                .endStatus()
                .build();
    }
}
