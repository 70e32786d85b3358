package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.ClientProgram;
import svc.e2e.running.SharedPlatform;

/** Pages, ids and writes by an unchanged {@code urql} with its normalised cache, and the schema by {@code graphql-js}. */
@ExtendWith(SharedPlatform.class)
class GraphqlTest {
    private static final String TABLES = """
            CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL);
            CREATE TABLE book (id int PRIMARY KEY, title text NOT NULL, author_id int NOT NULL REFERENCES author);
            ALTER TABLE book ENABLE ROW LEVEL SECURITY;
            CREATE POLICY readable ON book FOR SELECT TO PUBLIC USING (true);
            INSERT INTO author VALUES (1, 'Ada'), (2, 'Bob');
            """;

    @Test
    void anApplicationPagesAndCachesByIds(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("books");
        platform.controlPlane().query(project.get("ref").asText(), TABLES).expect(201);
        JsonNode seen = ClientProgram.run(platform, project, "graphql.mjs", Map.of());
        assertThat(seen.toPrettyString())
                .isEqualTo(new ObjectMapper().readTree("""
                        {
                          "inserted": 7,
                          "pages": [3, 6, 7],
                          "titles": ["Book 7", "Book 6", "Book 5", "Book 4", "Book 3", "Book 2", "Book 1"],
                          "before": "Book 7",
                          "after": "Renamed",
                          "fromCache": true,
                          "deletedByAnyone": 0,
                          "unknown": "[GraphQL] Unknown field 'isbn' on type 'Book'",
                          "schemaErrors": [],
                          "validPage": [],
                          "invalid": 1,
                          "mutations": 6
                        }""").toPrettyString());
    }
}
