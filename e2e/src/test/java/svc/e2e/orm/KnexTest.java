package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** Knex migrates up, once, and back, and uses the tables. */
@ExtendWith(SharedPlatform.class)
class KnexTest {
    @Test
    void migratesOnceAndBack(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "knex").node("knex.mjs");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"first": ["1_authors", "2_books"], "second": [], "has": [true, false, true],
                 "columns": {
                  "id": {"type": "integer", "maxLength": null, "nullable": false,
                   "defaultValue": "nextval('authors_id_seq'::regclass)"},
                  "uid": {"type": "uuid", "maxLength": null, "nullable": true, "defaultValue": "gen_random_uuid()"},
                  "name": {"type": "character varying", "maxLength": 200, "nullable": false, "defaultValue": null}},
                 "names": ["Ann", "Bob"], "joined": {"mood": "ok", "about": {"pages": 2}}, "down": ["2_books", "1_authors"],
                 "left": false}
                """));
    }
}
