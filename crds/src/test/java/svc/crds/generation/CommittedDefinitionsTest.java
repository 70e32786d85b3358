package svc.crds.generation;

import static org.assertj.core.api.Assertions.assertThat;

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
}
