package svc.crds.generation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The definitions in the repository are those the Java types say. */
class CommittedDefinitionsTest {

    private static final String REGENERATE =
            "mvn -pl crds -am test -Dtest=CommittedDefinitionsTest -Dsurefire.failIfNoSpecifiedTests=false -Dcrds.write=true";

    @Test
    void theCommittedFilesAreTheGeneratedOnes() throws IOException {
        for (Map.Entry<String, String> file : GeneratedDefinitions.files().entrySet()) {
            Path committed = Path.of(file.getKey());
            if (Boolean.getBoolean("crds.write")) {
                Files.writeString(committed, file.getValue());
            }
            assertThat(committed)
                    .as("%s is not what the Java types say. Regenerate it: %s", committed, REGENERATE)
                    .exists();
            assertThat(Files.readString(committed))
                    .as("%s is not what the Java types say. Regenerate it: %s", committed, REGENERATE)
                    .isEqualTo(file.getValue());
        }
    }

    /** kubectl and Helm read YAML 1.1, to which a bare True is no text: a status could then have no value at all. */
    @Test
    void whatIsTextIsTextToKubectlAndHelmToo() throws IOException {
        ObjectMapper yaml = new ObjectMapper(new YAMLFactory());
        for (String file : GeneratedDefinitions.files().keySet()) {
            JsonNode definition = yaml.readTree(Path.of(file).toFile());

            assertThat(definition.findParents("enum"))
                    .as(file)
                    .isNotEmpty()
                    .allSatisfy(property -> assertThat(property.path("enum")).allMatch(JsonNode::isTextual));
        }
    }
}
