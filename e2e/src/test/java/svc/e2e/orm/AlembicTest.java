package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** Alembic writes and applies a migration of a model, and finds no difference behind it. */
@ExtendWith(SharedPlatform.class)
class AlembicTest {
    @Test
    void comparesAModelWithTheTables(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "alembic").python("alembic_models");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"tables": ["alembic_version", "authors", "books"], "schema": "public", "names": ["Ann", "Bob"],
                 "differences": [], "left": ["alembic_version"]}
                """));
    }
}
