package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** drizzle-kit pushes a schema once, pulls it, and applies its migrations once. */
@ExtendWith(SharedPlatform.class)
class DrizzleTest {
    @Test
    void pushesPullsAndMigrates(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "drizzle").node("drizzle.mjs");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"pushed": true, "unchanged": true,
                 "pulled": ["export const mood = pgEnum", "export const authors = pgTable", "export const books = pgTable",
                  "export const titles = pgView"],
                 "schemas": false, "migrated": true, "recorded": 1, "tables": ["authors", "books", "titles"]}
                """));
    }
}
