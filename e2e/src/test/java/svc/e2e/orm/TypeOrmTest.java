package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** TypeORM makes the tables of entities, and would change nothing the second time. */
@ExtendWith(SharedPlatform.class)
class TypeOrmTest {
    @Test
    void synchronizesOnce(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "typeorm").node("typeorm.mjs");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"tables": ["author", "book"], "differences": []}
                """));
    }
}
