package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** An agent builds a working application, with mistakes on the way, in few calls. */
@ExtendWith(SharedPlatform.class)
class AgentSessionTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void fromAnEmptyFolderToAWorkingApplicationInTwentyCalls(Platform platform, @TempDir Path folder) throws Exception {
        String argument = JSON.writeValueAsString(Map.of(
                "baseUrl", platform.connection().baseUrl(),
                "token", platform.connection().token(),
                "folder", folder.toString()));
        var words = List.of(
                "node",
                PlatformCommand.root().resolve("e2e/client/agent_session.mjs").toString(),
                argument);
        JsonNode seen = JSON.readTree(
                Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));

        assertThat(seen.at("/mistake").toString()).isEqualTo("{\"failed\":true,\"sqlstate\":\"42703\",\"named\":true}");
        assertThat(seen.at("/nothingApplied").asBoolean()).as(seen.toString()).isTrue();
        assertThat(seen.at("/applied").asText()).isEqualTo("applied");
        assertThat(seen.at("/advised").toString()).isEqualTo("[\"public.lists\"]");
        assertThat(seen.at("/mended").toString()).isEqualTo("[]");
        assertThat(seen.at("/entered").asInt()).isEqualTo(200);
        assertThat(seen.at("/stored").asBoolean()).isTrue();
        assertThat(seen.at("/deployed").asText()).isEqualTo("ACTIVE");
        assertThat(seen.at("/application").toPrettyString())
                .isEqualTo(JSON.readTree("""
                        {
                          "ann": [{"title": "buy milk", "lists": {"name": "home"}}],
                          "bob": [],
                          "stranger": [],
                          "greeting": "Good morning, Ann"
                        }""").toPrettyString());
        assertThat(seen.at("/documented").asBoolean()).isTrue();
        assertThat(seen.at("/logged").asBoolean()).as("logs").isTrue();
        assertThat(seen.at("/calls").size()).as(seen.at("/calls").toString()).isBetween(12, 20);
    }
}
