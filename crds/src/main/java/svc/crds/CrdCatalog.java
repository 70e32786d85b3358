package svc.crds;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The custom resource definitions of this build: the committed YAML, from the class path. */
public record CrdCatalog(
        CustomResourceDefinition project,
        CustomResourceDefinition edgeFunction,
        CustomResourceDefinition functionSecret) {

    /** Reads the definitions. A missing one is an error of the build. */
    public static CrdCatalog load() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        return new CrdCatalog(
                read(serialization, "project.yaml"),
                read(serialization, "edgefunction.yaml"),
                read(serialization, "functionsecret.yaml"));
    }

    public List<CustomResourceDefinition> all() {
        return List.of(project, edgeFunction, functionSecret);
    }

    private static CustomResourceDefinition read(KubernetesSerialization serialization, String file) {
        try (InputStream yaml = CrdCatalog.class.getResourceAsStream(file)) {
            if (yaml == null) {
                throw new IllegalStateException("svc/crds/" + file + " is not on the class path");
            }
            return serialization.unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading svc/crds/" + file, e);
        }
    }
}
