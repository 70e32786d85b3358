package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** Tables made through the SQL endpoint are used by an unchanged {@code @supabase/supabase-js} with the anon key. */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientLibraryTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TABLE = """
            CREATE TABLE todos (id int PRIMARY KEY, title text NOT NULL, secret boolean NOT NULL);
            ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
            CREATE POLICY open_only ON todos FOR ALL TO PUBLIC USING (NOT secret) WITH CHECK (NOT secret);
            INSERT INTO todos VALUES (1, 'it works', false), (2, 'for my eyes', true);
            NOTIFY pgrst, 'reload schema';
            """;

    private Platform platform;
    private JsonNode project;

    @BeforeAll
    void makeTable(Platform platform) throws Exception {
        this.platform = platform;
        this.project = platform.controlPlane().create("todos");
        platform.controlPlane().query(ref(), TABLE).expect(201);
    }

    @Test
    void readsAndInsertsByPath() throws Exception {
        expectAnApplicationToWork(
                10, "by path", Map.of("url", platform.connection().pathUrl(ref())));
    }

    @Test
    void readsAndInsertsByHostName() throws Exception {
        String url = platform.connection().dataUrl(ref());
        expectAnApplicationToWork(
                20,
                "by host",
                Map.of(
                        "url",
                        url,
                        "address",
                        Map.of("host", "127.0.0.1", "port", URI.create(url).getPort())));
    }

    private String ref() {
        return project.get("ref").asText();
    }

    private void expectAnApplicationToWork(int id, String title, Map<String, Object> where) throws Exception {
        var script = PlatformCommand.root().resolve("e2e/client/todos.mjs");
        assertThat(script.resolveSibling("node_modules"))
                .as("the client library is installed; if not, run ./svc test")
                .matches(Files::isDirectory);
        Map<String, Object> input = new HashMap<>(where);
        input.put("key", project.get("anon_key").asText());
        input.put("schema", project.get("schema").asText());
        input.put("id", id);
        input.put("title", title);
        var words = List.of("node", script.toString(), JSON.writeValueAsString(input));
        JsonNode seen = JSON.readTree(
                Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));
        String row = "[{\"id\":%d,\"title\":\"%s\"}]".formatted(id, title);
        assertThat(seen.get("inserted")).isEqualTo(JSON.readTree(row));
        assertThat(seen.get("found")).isEqualTo(JSON.readTree(row));
        assertThat(seen.get("visibleSecrets")).isEmpty();
        assertThat(seen.get("refused").get("code").asText()).isEqualTo("42501");
        assertThat(seen.get("refused").get("status").asInt()).isEqualTo(401);
    }
}
