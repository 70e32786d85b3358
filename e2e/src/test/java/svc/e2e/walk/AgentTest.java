package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** The walk of an agent by the MCP client of the official SDK, over our MCP server and over Supabase's, unedited. */
@ExtendWith(SharedPlatform.class)
class AgentTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void fromNothingToATypedApplication(Platform platform) throws Exception {
        String argument = JSON.writeValueAsString(Map.of(
                "baseUrl", platform.connection().baseUrl(),
                "token", platform.connection().token()));
        var words = List.of(
                "node", PlatformCommand.root().resolve("e2e/client/mcp.mjs").toString(), argument);
        JsonNode seen = JSON.readTree(
                Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));
        assertThat(seen.toPrettyString()).isEqualTo(JSON.readTree("""
                        {
                          "tools": true,
                          "applied": "applied",
                          "migrations": ["todos"],
                          "rows": true,
                          "security": [],
                          "deployed": "ACTIVE",
                          "url": true,
                          "logs": true,
                          "typed": true,
                          "supabase": {
                            "list_projects": true,
                            "list_tables": true,
                            "execute_sql": true,
                            "apply_migration": true,
                            "list_migrations": true,
                            "generate_typescript_types": true,
                            "get_advisors": true,
                            "list_edge_functions": true,
                            "get_publishable_keys": true,
                            "query_logs": true
                          }
                        }""").toPrettyString());
    }

    @Test
    void anEditorSignsInByTheBrowser(Platform platform) throws Exception {
        String argument = JSON.writeValueAsString(Map.of(
                "baseUrl", platform.connection().baseUrl(),
                "token", platform.connection().token()));
        var words = List.of(
                "node",
                PlatformCommand.root().resolve("e2e/client/mcp_sign_in.mjs").toString(),
                argument);
        JsonNode seen = JSON.readTree(
                Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));
        assertThat(seen.toPrettyString()).isEqualTo(JSON.readTree("""
                        {"sentToThePage": true, "asks": true, "state": "a state", "tools": true, "renewed": true}""").toPrettyString());
    }
}
