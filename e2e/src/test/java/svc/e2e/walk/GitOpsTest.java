package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** A repository's way: a manifest is applied again and again, by two tools at once, removed, and brought back. */
@ExtendWith(SharedPlatform.class)
class GitOpsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MANIFEST = """
            apiVersion: svc.platform/v1alpha1
            kind: Project
            metadata: { name: %1$s, labels: { team: shop } }
            spec: { name: %1$s, keysSecret: %1$s-keys }
            """;
    private static final String LIMITS = """
            apiVersion: svc.platform/v1alpha1
            kind: Project
            metadata: { name: %s }
            spec: { limits: { connections: 7 } }
            """;

    @Test
    void applyingAgainChangesNothingAndTwoToolsDoNotFight(Platform platform) throws Exception {
        apply(platform, "flux", MANIFEST.formatted("calm"));
        wait(platform, "calm");
        JsonNode before = project(platform, "calm");

        apply(platform, "flux", MANIFEST.formatted("calm"));
        assertThat(said(project(platform, "calm"))).isEqualTo(said(before));

        apply(platform, "team", LIMITS.formatted("calm"));
        apply(platform, "flux", MANIFEST.formatted("calm"));
        wait(platform, "calm");
        JsonNode after = project(platform, "calm");
        assertThat(after.at("/spec/limits/connections").asInt()).isEqualTo(7);
        assertThat(after.at("/metadata/generation").asInt())
                .isEqualTo(before.at("/metadata/generation").asInt() + 1);
        for (JsonNode manager : after.at("/metadata/managedFields")) {
            if (!manager.path("manager").asText().matches("flux|team")) {
                assertThat(manager.at("/fieldsV1").has("f:spec"))
                        .as("the operator owns nothing of the spec")
                        .isFalse();
            }
        }
    }

    @Test
    void aManifestThatComesBackIsTheSameProject(Platform platform) throws Exception {
        apply(platform, "flux", MANIFEST.formatted("back"));
        wait(platform, "back");
        JsonNode before = project(platform, "back");
        JsonNode keys = secret(platform);
        String ref = before.at("/status/ref").asText();
        platform.controlPlane()
                .query(ref, "CREATE TABLE kept (id int PRIMARY KEY); INSERT INTO kept VALUES (7)")
                .expect(201);

        Program.kubectl(platform, "delete", "project", "back", "--timeout=180s");
        apply(platform, "flux", MANIFEST.formatted("back"));
        wait(platform, "back");

        JsonNode after = project(platform, "back");
        for (String field : new String[] {"ref", "projectId", "schema", "url", "anonKey", "incarnation"}) {
            assertThat(after.at("/status/" + field)).as(field).isEqualTo(before.at("/status/" + field));
        }
        assertThat(secret(platform)).isEqualTo(keys);
        assertThat(platform.controlPlane()
                        .query(ref, "SELECT id FROM kept")
                        .expect(201)
                        .response()
                        .body())
                .isEqualTo("[{\"id\":7}]");
    }

    /** Without the notes of who applied what when. */
    private static JsonNode said(JsonNode project) {
        ObjectNode said = project.deepCopy();
        ((ObjectNode) said.get("metadata")).remove(List.of("managedFields", "resourceVersion"));
        return said;
    }

    private static JsonNode project(Platform platform, String name) throws IOException {
        return JSON.readTree(Program.kubectl(platform, "get", "project", name, "--show-managed-fields", "-o", "json"));
    }

    private static JsonNode secret(Platform platform) throws IOException {
        return JSON.readTree(Program.kubectl(platform, "get", "secret", "back-keys", "-o", "jsonpath={.data}"));
    }

    private static void wait(Platform platform, String name) throws IOException {
        Program.kubectl(platform, "wait", "project/" + name, "--for=condition=Ready", "--timeout=180s");
    }

    private static void apply(Platform platform, String manager, String manifest) throws IOException {
        Path file = Files.createTempFile("svc-e2e-", ".yaml");
        try {
            Files.writeString(file, manifest);
            Program.kubectl(platform, "apply", "--server-side", "--field-manager=" + manager, "-f", file.toString());
        } finally {
            Files.delete(file);
        }
    }
}
