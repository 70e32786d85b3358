package svc.crds.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.crds.Api;
import svc.crds.CrdCatalog;
import svc.embedded.kubernetes.schema.CustomResourceSchema;

/** Every sample is taken by an API server as it stands: no field of it is unknown, none is refused, and no kind is missing. */
class SamplesTest {
    private static final Path SAMPLES = Path.of("..", "config", "samples");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Map<String, CustomResourceDefinition> KINDS = CrdCatalog.load().all().stream()
            .collect(Collectors.toMap(kind -> kind.getSpec().getNames().getKind(), kind -> kind));

    static Stream<Path> samples() throws IOException {
        return Files.list(SAMPLES).filter(Files::isRegularFile).sorted();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void isTakenAsItStands(Path sample) throws IOException {
        List<JsonNode> objects = objects(sample);
        Set<String> secrets = new HashSet<>();
        for (JsonNode object : objects) {
            assertThat(object.at("/metadata/namespace").asText()).isEqualTo("default");
            if (object.path("kind").asText().equals("Secret")) {
                secrets.add(object.at("/metadata/name").asText());
                continue;
            }
            assertThat(object.path("apiVersion").asText()).isEqualTo(Api.GROUP + "/" + Api.VERSION);
            var schema = CustomResourceSchema.of(KINDS.get(object.path("kind").asText()), Api.VERSION);
            JsonNode known = schema.prune(object);
            assertThat(known).as("unknown fields").isEqualTo(object);
            assertThat(schema.validate(schema.applyDefaults(known), Optional.empty()))
                    .isEmpty();
        }
        for (JsonNode object : objects) {
            object.findParents("secretKeyRef")
                    .forEach(parent -> assertThat(secrets)
                            .contains(parent.at("/secretKeyRef/name").asText()));
            object.findParents("connectionSecretRef")
                    .forEach(parent -> assertThat(secrets)
                            .contains(parent.at("/connectionSecretRef/name").asText()));
        }
    }

    @Test
    void noKindAndNoKindOfDatabaseIsMissing() throws IOException {
        Set<String> kinds = new HashSet<>();
        Set<String> databases = new HashSet<>();
        try (Stream<Path> samples = samples()) {
            for (Path sample : samples.toList()) {
                for (JsonNode object : objects(sample)) {
                    kinds.add(object.path("kind").asText());
                    object.at("/spec/database/dedicated").fieldNames().forEachRemaining(databases::add);
                }
            }
        }
        assertThat(kinds).containsAll(KINDS.keySet());
        assertThat(databases).contains("connectionSecretRef", "cluster");
    }

    private static List<JsonNode> objects(Path sample) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (String document : Files.readString(sample).split("(?m)^---$")) {
            objects.add(YAML.unmarshal("---\n" + document, JsonNode.class));
        }
        return objects;
    }
}
