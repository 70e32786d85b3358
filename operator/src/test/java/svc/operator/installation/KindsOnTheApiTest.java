package svc.operator.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.ProjectStatus;
import svc.crds.reference.LocalReference;
import svc.operator.testing.TestingApi;

/** What the Kubernetes API does with our kinds by their definitions alone: no operator runs here. */
class KindsOnTheApiTest {
    private static final int KIB = 1024;

    private static final KubernetesClient CLIENT = TestingApi.client();
    private static String namespace;

    @BeforeAll
    static void ownNamespace() {
        namespace = TestingApi.namespace();
    }

    /** As {@code kubectl get projects --field-selector status.ref=…} does. */
    @Test
    void projectsAreFoundByTheirRefAndOrganization() {
        project("first", "acme", "aaaaaaa2");
        project("second", "acme", "bbbbbbb2");
        project("third", "other", "ccccccc2");

        assertThat(names(Project.class, Map.of("status.ref", "bbbbbbb2"))).containsExactly("second");
        assertThat(names(Project.class, Map.of("spec.organization", "acme"))).containsExactly("first", "second");
        assertThat(names(Project.class, Map.of("spec.suspend", "true"))).isEmpty();
    }

    @Test
    void functionsAreFoundByTheirProject() {
        CLIENT.resource(function("one", "shop", "x", Map.of())).create();
        CLIENT.resource(function("two", "forum", "x", Map.of())).create();

        assertThat(names(EdgeFunction.class, Map.of("spec.projectRef.name", "forum")))
                .containsExactly("two");
    }

    @Test
    void aFunctionOfMoreThan256KibIsRefusedAndTheMessageNamesTheAlternative() {
        EdgeFunction oneMebibyte = function(
                "large",
                "shop",
                "x",
                Map.of("a.ts", text(256), "b.ts", text(256), "c.ts", text(256), "d.ts", text(256)));

        assertThatThrownBy(() -> CLIENT.resource(oneMebibyte).create())
                .hasMessageContaining("source and files have more than 256 KiB together: deploy the function with");
        CLIENT.resource(function("full", "shop", text(128), Map.of("a.ts", text(128))))
                .create();
    }

    private static String text(int kib) {
        return "x".repeat(kib * KIB);
    }

    private static void project(String name, String organization, String ref) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        project.setSpec(CLIENT.getKubernetesSerialization()
                .unmarshal("name: " + name + "\norganization: " + organization, ProjectSpec.class));
        Project created = CLIENT.resource(project).create();
        created.setStatus(ProjectStatus.empty().toBuilder().ref(ref).build());
        CLIENT.resource(created).updateStatus();
    }

    private static EdgeFunction function(String name, String project, String source, Map<String, String> files) {
        var function = new EdgeFunction();
        function.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        function.setSpec(
                new EdgeFunctionSpec(new LocalReference(project), name, source, files, null, null, null, null, null));
        return function;
    }

    private static <T extends HasMetadata> List<String> names(Class<T> kind, Map<String, String> fields) {
        return CLIENT.resources(kind).inNamespace(namespace).withFields(fields).list().getItems().stream()
                .map(found -> found.getMetadata().getName())
                .sorted()
                .toList();
    }
}
