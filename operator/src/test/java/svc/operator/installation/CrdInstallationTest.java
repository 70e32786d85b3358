package svc.operator.installation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import org.junit.jupiter.api.Test;

/** A kind that was just installed goes through stages in which it is not served yet; none of them is an error. */
class CrdInstallationTest {
    @Test
    void itIsServedOnceItIsEstablished() {
        var withoutConditions = new CustomResourceDefinitionStatus();
        withoutConditions.setConditions(null);

        assertThat(CrdInstallation.isServed(null)).isFalse();
        assertThat(CrdInstallation.isServed(new CustomResourceDefinition())).isFalse();
        assertThat(CrdInstallation.isServed(new CustomResourceDefinitionBuilder()
                        .withStatus(withoutConditions)
                        .build()))
                .isFalse();
        assertThat(CrdInstallation.isServed(established("False"))).isFalse();
        assertThat(CrdInstallation.isServed(established("True"))).isTrue();
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
