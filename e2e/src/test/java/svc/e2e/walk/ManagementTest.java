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

/**
 * The Management API by programs that were not written for it: {@code supabase-management-js}, unedited, and clients that
 * are generated from the platform's OpenAPI document.
 */
@ExtendWith(SharedPlatform.class)
class ManagementTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void itsClientsInTypeScriptManageAProject(Platform platform) throws Exception {
        JsonNode seen = run(platform, "node", "management.mjs");
        assertThat(seen.toPrettyString()).isEqualTo(JSON.readTree("""
                        {
                          "theirs": {
                            "projects": true,
                            "organization": "default",
                            "members": true,
                            "health": ["ACTIVE_HEALTHY", "ACTIVE_HEALTHY"],
                            "keys": ["publishable", "secret"],
                            "query": [{"one": 1}],
                            "migration": "object",
                            "migrations": ["second"],
                            "types": true,
                            "advisors": "rls_disabled_in_public",
                            "schemas": true,
                            "auth": 600,
                            "rest": 5,
                            "realtime": 7,
                            "secrets": ["WORD"],
                            "regions": 1
                          },
                          "generated": {"healthy": true, "rows": [{"one": 1}]},
                          "served": 200,
                          "closed": true,
                          "inactive": "INACTIVE",
                          "paused": 503,
                          "active": "ACTIVE_HEALTHY",
                          "restored": 200
                        }""").toPrettyString());
    }

    @Test
    void aGeneratedClientInPythonManagesAProject(Platform platform) throws Exception {
        JsonNode seen = run(platform, "bash", "management-python");
        assertThat(seen.toString()).isEqualTo("{\"healthy\":true,\"rows\":[{\"one\":1}]}");
    }

    private static JsonNode run(Platform platform, String program, String script) throws Exception {
        String argument = JSON.writeValueAsString(Map.of(
                "baseUrl", platform.connection().baseUrl(),
                "token", platform.connection().token()));
        var words = List.of(
                program,
                PlatformCommand.root().resolve("e2e/client").resolve(script).toString(),
                argument);
        return JSON.readTree(Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));
    }
}
