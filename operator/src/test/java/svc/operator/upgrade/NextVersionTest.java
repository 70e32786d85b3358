package svc.operator.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.operator.installation.CrdInstallation;
import svc.operator.testing.TestingOperator;

/**
 * Promise: a second version of the kinds can be served, stored and taken back while the operator of today goes on. Kubernetes
 * converts by itself while the two versions have the same fields, and by a webhook when a field has another name.
 */
class NextVersionTest {
    private static final String TODAY = "v1alpha1";
    private static final String NEXT = "v1beta1";

    private TwoVersions kinds;

    @BeforeEach
    void startTheOperatorOfToday() {
        kinds = TwoVersions.start().orElse(null);
        assumeTrue(kinds != null, "only Kubernetes' own API server converts");
        kinds.create(project("shop"));
        kinds.ready("shop");
        kinds.createFunctionOf("shop");
        kinds.awaitRest();
    }

    @AfterEach
    void stop() {
        if (kinds != null) {
            kinds.close();
        }
    }

    @Test
    void objectsMoveToTheNextVersionAndBack() throws Exception {
        Map<String, Object> before = kinds.contents(TODAY);

        kinds.serve(definition -> TwoVersions.both(definition, TODAY));

        Awaitility.await("the next version is served")
                .atMost(TestingOperator.LIMIT)
                .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .untilAsserted(() -> assertThat(kinds.contents(NEXT)).isEqualTo(before));
        kinds.create(next("later", Map.of("name", "Later")));
        kinds.ready("later");

        kinds.serve(definition -> TwoVersions.both(definition, NEXT));

        assertThat(kinds.storedVersions()).containsExactly(TODAY, NEXT);
        assertThatThrownBy(() -> kinds.serve(definition -> TwoVersions.only(definition, NEXT)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("storedVersions");
        Map<String, Object> all = kinds.contents(TODAY);
        kinds.awaitStored("shop");
        kinds.migrate(NEXT);
        assertThat(kinds.rewritten()).isZero();
        assertThat(kinds.storedVersions()).containsExactly(NEXT);
        assertThat(kinds.contents(TODAY)).isEqualTo(all);
        kinds.create(project("after"));
        kinds.ready("after");

        assertThatThrownBy(() -> kinds.serve(UnaryOperator.identity()))
                .as("a rollback without a migration")
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("storedVersions");
        kinds.serve(definition -> TwoVersions.both(definition, TODAY));
        all = kinds.contents(TODAY);
        kinds.awaitStored("shop");
        kinds.migrate(TODAY);
        CrdInstallation.apply(kinds.admin());

        assertThat(kinds.storedVersions()).containsExactly(TODAY);
        assertThat(kinds.servedVersions()).containsExactly(TODAY);
        assertThat(kinds.contents(TODAY)).isEqualTo(all);
        kinds.create(project("again"));
        kinds.ready("again");
    }

    @Test
    void aFieldWithAnotherNameIsConverted() throws Exception {
        try (var webhook = new RenamingWebhook(NEXT, "keysSecret", "keysSecretName")) {
            kinds.serve(definition -> webhook.renamed(TwoVersions.both(definition, TODAY)));
            kinds.edit("shop", spec -> spec.keysSecret("keys"));
            Awaitility.await("the field has its other name")
                    .atMost(TestingOperator.LIMIT)
                    .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                    .untilAsserted(() -> assertThat(kinds.spec(NEXT, "shop")).containsEntry("keysSecretName", "keys"));

            kinds.create(next("later", Map.of("name", "Later", "keysSecretName", "later-keys")));

            assertThat(kinds.ready("later").getStatus().secretName()).isEqualTo("later-keys");
            kinds.serve(definition -> webhook.renamed(TwoVersions.both(definition, NEXT)));
            kinds.awaitStored("shop");
            kinds.migrate(NEXT);
            kinds.edit("shop", spec -> spec.keysSecret("other-keys"));
            Awaitility.await("the operator of today goes on")
                    .atMost(TestingOperator.LIMIT)
                    .until(() ->
                            "other-keys".equals(kinds.ready("shop").getStatus().secretName()));
            kinds.serve(definition -> webhook.renamed(TwoVersions.both(definition, TODAY)));
            kinds.awaitStored("shop");
            kinds.migrate(TODAY);
            CrdInstallation.apply(kinds.admin());
        }

        kinds.edit("later", spec -> spec.keysSecret("more-keys"));
        Awaitility.await("without the webhook")
                .atMost(TestingOperator.LIMIT)
                .until(() -> "more-keys".equals(kinds.ready("later").getStatus().secretName()));
    }

    private static Project project(String name) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        project.setSpec(ProjectSpec.named(name));
        return project;
    }

    private static GenericKubernetesResource next(String name, Map<String, Object> spec) {
        var project = new GenericKubernetesResource();
        project.setApiVersion("svc.platform/" + NEXT);
        project.setKind("Project");
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        project.setAdditionalProperty("spec", spec);
        return project;
    }
}
