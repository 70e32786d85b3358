package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** The migrator of Kysely migrates up, once, and down. */
@ExtendWith(SharedPlatform.class)
class KyselyTest {
    @Test
    void migratesOnceAndBack(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "kysely").node("kysely.mjs");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"first": ["1_authors Up Success", "2_books Up Success"], "second": [],
                 "tables": ["public.authors(id,uid)", "public.books(id,author,mood)"], "joined": [{"mood": "ok"}],
                 "down": ["2_books Down Success"]}
                """));
    }
}
