package svc.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import svc.database.name.FurtherSchema;

/** The rule of the resource, which can import nothing, refuses the names that the database refuses. */
class ExposableSchemasTest {
    @Test
    void theRuleOfTheResourceNamesEveryReservedName() throws IOException {
        String definition;
        try (InputStream stream = FurtherSchema.class.getResourceAsStream("/svc/crds/project.yaml")) {
            definition = new String(stream.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\s+", " ");
        }
        assertThat(definition).contains("'^" + FurtherSchema.PATTERN + "$'");
        assertThat(FurtherSchema.RESERVED)
                .filteredOn(name -> !name.equals("public"))
                .allSatisfy(name -> assertThat(definition).containsPattern("!\\(s in \\[[^\\]]*'" + name + "'"));
    }
}
