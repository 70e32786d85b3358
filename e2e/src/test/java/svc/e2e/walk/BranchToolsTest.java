package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** The tools of branches: a client of one project creates, merges, resets and deletes its branches, and no others. */
@ExtendWith(SharedPlatform.class)
class BranchToolsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ControlPlane api;

    @BeforeEach
    void connect(Platform platform) {
        api = platform.controlPlane();
    }

    @Test
    void toolsReachTheBranchesOfTheirProjectAlone() throws Exception {
        String ref = api.create("parent").get("ref").asText();
        migrate(ref, "20300101000000", "insert into storage.buckets (id, name) values ('pictures', 'pictures')");
        String other = api.create("neighbour").get("ref").asText();
        JsonNode made = JSON.readTree(tool(ref, "create_branch", Map.of("name", "by a model"), false));
        String id = made.get("id").asText();
        assertThat(made.get("status").asText()).as(made.toString()).isEqualTo("MIGRATIONS_PASSED");
        assertThat(tool(ref, "list_branches", Map.of(), false)).contains(id);
        assertThat(tool(other, "list_branches", Map.of(), false)).isEqualTo("{\"branches\":[]}");
        for (String name : List.of("merge_branch", "reset_branch", "rebase_branch", "delete_branch")) {
            assertThat(tool(other, name, Map.of("branch_id", id), true)).contains("branch_not_found");
        }
        migrate(made.get("project_ref").asText(), "20300102000000", "create table public.by_a_model (id int)");
        assertThat(tool(ref, "merge_branch", Map.of("branch_id", id), false)).contains("20300102000000");
        assertThat(tool(ref, "reset_branch", Map.of("branch_id", id), false)).contains("MIGRATIONS_PASSED");
        assertThat(tool(ref, "rebase_branch", Map.of("branch_id", id), false)).contains("MIGRATIONS_PASSED");
        assertThat(tool(ref, "delete_branch", Map.of("branch_id", id), false)).contains("ok");
        assertThat(tool(ref, "get_storage_config", Map.of(), false)).contains("fileSizeLimit");
        assertThat(tool(ref, "list_storage_buckets", Map.of(), false)).contains("pictures");
        assertThat(tool(ref, "update_storage_config", Map.of("config", Map.of("fileSizeLimit", 1000)), false))
                .contains("1000");
        assertThat(tool(ref, "update_storage_config", Map.of("config", Map.of("fileSize", 1)), true))
                .contains("fileSize");
    }

    private void migrate(String project, String version, String sql) throws IOException {
        api.post("/projects/" + project + "/database/migrations", Map.of("version", version, "query", sql))
                .expect(200);
    }

    private String tool(String project, String name, Map<String, ?> arguments, boolean failed) throws IOException {
        var message = Map.of(
                "jsonrpc",
                "2.0",
                "id",
                1,
                "method",
                "tools/call",
                "params",
                Map.of("name", name, "arguments", arguments));
        JsonNode result = api.post("/mcp?features=branching,storage&project_ref=" + project, message)
                .expect(200)
                .json()
                .path("result");
        assertThat(result.path("isError").asBoolean()).as(result.toString()).isEqualTo(failed);
        return result.at("/content/0/text").asText();
    }
}
