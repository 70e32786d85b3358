package svc.chart.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import svc.chart.support.Kubectl;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/**
 * What Kubernetes stores of a rendering. A field that it drops or writes in another way differs for ever in the eyes of a tool
 * that compares both, as Argo CD does.
 */
record StoredObjects(KubernetesClient client, Path kubeconfig) {
    /** Kinds whose fields the generator of the kinds writes, with defaults that Kubernetes leaves out. */
    private static final String DEFINITION = "CustomResourceDefinition";

    void equal(Rendering rendering, String text) throws IOException, InterruptedException {
        List<String> differences = new ArrayList<>();
        rendering.objects().stream()
                .filter(object -> !Rendering.kind(object).equals(DEFINITION))
                .forEach(object -> compare(Rendering.id(object), object, stored(object), differences));

        assertThat(differences).isEmpty();
        // Fails with the difference.
        new Kubectl(kubeconfig).run(text, "diff", "-f", "-");
    }

    private JsonNode stored(ObjectNode object) {
        var kind = client.genericKubernetesResources(object.path("apiVersion").asText(), Rendering.kind(object));
        String namespace = object.at("/metadata/namespace").asText();
        String name = Rendering.name(object);
        return Yaml.JSON.valueToTree(
                namespace.isEmpty()
                        ? kind.withName(name).get()
                        : kind.inNamespace(namespace).withName(name).get());
    }

    private static void compare(String at, JsonNode rendered, JsonNode stored, List<String> differences) {
        if (rendered.isObject() && stored.isObject()) {
            rendered.properties()
                    .forEach(field -> compare(
                            at + "/" + field.getKey(), field.getValue(), stored.path(field.getKey()), differences));
        } else if (rendered.isArray() && stored.isArray() && rendered.size() == stored.size()) {
            for (int i = 0; i < rendered.size(); i++) {
                compare(at + "/" + i, rendered.get(i), stored.get(i), differences);
            }
        } else if (rendered.isContainerNode() || !rendered.asText().equals(stored.asText("absent"))) {
            differences.add(at + ": rendered " + rendered + ", stored " + stored);
        }
    }
}
