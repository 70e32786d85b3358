package svc.chart.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;

/** The samples for controllers that write Secrets write exactly those, with those keys, that the chart reads with the sample's values. */
class SecretSamplesTest {
    private static final Path SAMPLES = Chart.REPOSITORY.resolve("config/samples/secrets");
    private static final String MASTER_KEY = "svc-keys";

    /** The keys of each Secret that pods read, but for those that the operator writes. */
    private static final Map<String, Set<String>> READ = new TreeMap<>();

    @BeforeAll
    static void read() {
        for (JsonNode spec : Chart.render(SAMPLES.resolve("values.yaml")).podSpecs()) {
            for (JsonNode reference : spec.findValues("secretKeyRef")) {
                reads(reference.path("name").asText(), reference.path("key").asText());
            }
            for (JsonNode volume : spec.path("volumes")) {
                volume.at("/secret/items")
                        .forEach(item -> reads(
                                volume.at("/secret/secretName").asText(),
                                item.path("key").asText()));
            }
        }
        READ.keySet().removeIf(name -> name.endsWith("-roots"));
        // No pod mounts it: the operator reads it by the API, and each key of it is a version.
        reads(MASTER_KEY, "1");
    }

    private static void reads(String secret, String key) {
        READ.computeIfAbsent(secret, name -> new TreeSet<>()).add(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"external-secrets.yaml", "sealed-secrets.yaml"})
    void theyWriteWhatIsRead(String file) throws IOException {
        Map<String, Set<String>> written = new TreeMap<>();
        for (JsonNode object : objects(file)) {
            Set<String> keys = new TreeSet<>();
            object.at("/spec/data")
                    .forEach(item -> keys.add(item.path("secretKey").asText()));
            object.at("/spec/encryptedData").fieldNames().forEachRemaining(keys::add);
            String target = object.at("/spec/target/name")
                    .asText(object.at("/spec/template/metadata/name").asText());
            written.put(target, keys);
            assertThat(object.at("/metadata/namespace").asText()).isEqualTo(Chart.NAMESPACE);
        }

        assertThat(READ).containsKeys("svc-database", "svc-redis", "svc-s3", "svc-mail", "svc-admin");
        assertThat(written).isEqualTo(READ);
    }

    /** A second key under a version that is in use would change all keys of all projects. */
    @Test
    void theMasterKeyIsWrittenOnce() throws IOException {
        JsonNode key = objects("external-secrets.yaml").stream()
                .filter(object -> Rendering.name(object).equals(MASTER_KEY))
                .findFirst()
                .orElseThrow();

        assertThat(key.at("/spec/refreshPolicy").asText()).isEqualTo("CreatedOnce");
        assertThat(key.at("/spec/target/creationPolicy").asText()).isEqualTo("Orphan");
        assertThat(Chart.text(SAMPLES.resolve("values.yaml"))).contains("value: " + MASTER_KEY + "\n");
    }

    private static List<? extends JsonNode> objects(String file) throws IOException {
        return Rendering.of(Files.readString(SAMPLES.resolve(file))).objects();
    }
}
