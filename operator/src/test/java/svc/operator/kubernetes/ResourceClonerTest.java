package svc.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;

/** Promise: what a reconciler or the SDK does to its copy of an object is not seen in the cache. */
class ResourceClonerTest {
    private final ResourceCloner copies = new ResourceCloner(new KubernetesSerialization());

    @Test
    void aCopyIsTheSame() {
        Project project = project();
        Project copy = copies.clone(project);
        assertThat(copy).isEqualTo(project).isNotSameAs(project);
    }

    @Test
    void aChangedCopyLeavesTheOriginalAsItWas() {
        Project project = project();
        Project copy = copies.clone(project);

        copy.getMetadata().setResourceVersion("8");
        copy.getMetadata().getLabels().put("of", "the-copy");
        copy.addFinalizer("svc.platform/of-the-copy");
        copy.setSpec(ProjectSpec.named("other"));

        assertThat(project).isEqualTo(project());
    }

    @Test
    void otherKindsAreCopiedWhole() {
        ConfigMap map = new ConfigMapBuilder().addToData("a", "1").build();
        ConfigMap copy = copies.clone(map);
        copy.getData().put("a", "2");
        assertThat(map.getData()).containsEntry("a", "1");
    }

    private static Project project() {
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withName("shop")
                .withResourceVersion("7")
                .withLabels(Map.of("app", "shop"))
                .withFinalizers("svc.platform/database")
                .build());
        project.setSpec(ProjectSpec.named("shop"));
        return project;
    }
}
