package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** Django migrates its own applications and one with models, uses the models and inspects the database. */
@ExtendWith(SharedPlatform.class)
class DjangoTest {
    @Test
    void migratesAndUsesModels(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "django").python("django_application");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"users": 1, "twice": "refused", "iterated": 301, "json": 3, "array": 1,
                 "tables": ["library_author", "library_book"], "constraints": ["once", "titled"],
                 "relations": {"author_id": ["id", "library_author"]},
                 "inspected": ["class LibraryAuthor(models.Model):", "class LibraryBook(models.Model):"],
                 "flushed": 0, "left": []}
                """));
    }
}
