package svc.e2e.orm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** node-postgres and postgres.js: values, batches, cursors, transactions and COPY. */
@ExtendWith(SharedPlatform.class)
class NodeDriversTest {
    @Test
    void workAsWithPostgresql(Platform platform) throws IOException {
        JsonNode seen = EndpointProgram.ofNewProject(platform, "drivers").node("drivers.mjs");
        assertThat(seen).isEqualTo(new ObjectMapper().readTree("""
                {"pg": {"same": true, "error": ["42703", "8"], "isolation": "serializable", "several": [{"one": 1}, {"two": 2}]},
                 "postgres": {"same": true, "cursor": 102, "transaction": 102, "pipelined": 20, "copied": "1\\n2\\n",
                  "listen": "0A000"}}
                """));
    }
}
