package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ToolWordsTest {
    private static final Set<String> TOOLS =
            Set.of("list_projects", "get_project", "apply_migration", "list_migrations", "restore_project");

    @Test
    void aCallThatAToolMakesIsTheTool() {
        assertThat(ToolWords.of("GET /v1/projects lists the projects of this token's organisation.", TOOLS))
                .isEqualTo("the tool list_projects lists the projects of this token's organisation.");
        assertThat(ToolWords.of("Check with GET /v1/projects/{ref} whether it is Ready.", TOOLS))
                .isEqualTo("Check with the tool get_project whether it is Ready.");
        assertThat(ToolWords.of("Restore it with POST /v1/projects/abcd1234/restore, or wait.", TOOLS))
                .isEqualTo("Restore it with the tool restore_project, or wait.");
        assertThat(ToolWords.of(
                        "List them with GET /v1/projects/{ref}/database/migrations. Then POST /v1/projects/{ref}/database/migrations.",
                        TOOLS))
                .isEqualTo("List them with the tool list_migrations. Then the tool apply_migration.");
    }

    @Test
    void everyOtherCallStays() {
        for (String text : new String[] {
            "",
            "Send it with PATCH /v1/projects/{ref}/database/migrations/{version} {\"rollback\": \"…\"}.",
            "Enable it with PATCH /v1/tokens/abc.",
            "The tool of POST /v1/projects/{ref}/pause is not among the client's.",
            "GET is no call."
        }) {
            assertThat(ToolWords.of(text, TOOLS)).isEqualTo(text);
        }
    }
}
