package svc.management.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/**
 * Folders of migrations in the forms that generated projects have: each runs whole, or stops at the one statement that the
 * platform refuses, and says what to write instead. A resource is a folder: {@code --- name} begins a file, {@code --> words} says with what
 * words the file before it is refused, {@code ==> value | SQL} what the project has in the end.
 */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class FoldersAsTheyAreTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FILE = "--- ";
    private static final String REFUSED = "--> ";
    private static final String CHECK = "==> ";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "as-it-is");
    }

    /** What a resource says. */
    private record Folder(ArrayNode files, List<String> refusals, List<String> checks) {
        static Folder of(String name) throws IOException {
            try (InputStream stream = Folder.class.getResourceAsStream("folders/" + name + ".txt")) {
                var folder = new Folder(JSON.createArrayNode(), new ArrayList<>(), new ArrayList<>());
                StringBuilder text = new StringBuilder();
                for (String line : new String(stream.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                    if (line.startsWith(FILE)) {
                        text = new StringBuilder();
                        folder.files.addObject().put("name", line.substring(FILE.length()));
                    } else if (line.startsWith(REFUSED)) {
                        folder.refusals.add(line.substring(REFUSED.length()));
                    } else if (line.startsWith(CHECK)) {
                        folder.checks.add(line.substring(CHECK.length()));
                    } else {
                        text.append(line).append('\n');
                        ((ObjectNode) folder.files.get(folder.files.size() - 1)).put("query", text.toString());
                    }
                }
                return folder;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "composed_statements",
                "dump_of_a_project",
                "extensions_under_public",
                "forced_row_security",
                "guarded_scheduler",
                "numbered_files",
                "settings",
            })
    void runsWholeOrSaysWhatToWriteInstead(String name) throws IOException {
        Folder folder = Folder.of(name);
        Http.Answer answer = api.send(
                "POST",
                "/v1/projects/" + project.ref() + "/database/migrations",
                folder.files().toString());
        if (folder.refusals().isEmpty()) {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.json().findValuesAsText("state")).containsOnly("applied");
        } else {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            String said = answer.json().path("message").asText() + " "
                    + answer.json().path("hint").asText();
            folder.refusals().forEach(words -> assertThat(said).contains(words));
        }
        for (String check : folder.checks()) {
            String[] parts = check.split(" \\| ", 2);
            Http.Answer found = api.send(
                    "POST",
                    project.path(),
                    JSON.createObjectNode()
                            .put("query", "SELECT (" + parts[1] + ")::text AS x")
                            .toString());
            assertThat(found.status()).as(found.toString()).isEqualTo(201);
            assertThat(found.json().at("/0/x").asText()).as(check).isEqualTo(parts[0]);
        }
    }
}
