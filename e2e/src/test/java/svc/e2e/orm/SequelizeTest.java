package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** Sequelize makes the tables of models, alters them to the same, and describes them. */
@ExtendWith(SharedPlatform.class)
class SequelizeTest {
    @Test
    void synchronizesAndAltersToTheSame(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "sequelize").node("sequelize.mjs");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"tables": ["authors", "books"], "keys": [],
                 "indexes": ["authors_name", "authors_pkey"], "enum": ["ok", "sad"], "changed": [],
                 "found": ["Ann", "ok", ["a"], ["one"]], "left": []}
                """));
    }
}
