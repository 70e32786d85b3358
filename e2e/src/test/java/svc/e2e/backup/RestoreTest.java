package svc.e2e.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.ServerDatabase;
import svc.embedded.process.Folders;

/**
 * The backup of docs/operations.md, taken while the platform works and restored where there was none: a base backup of
 * PostgreSQL, the bucket, the Secrets, and the manifests. Redis is not among it.
 */
class RestoreTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aRestoredPlatformServesTheSameProjects() throws Exception {
        Path from = Files.createTempDirectory("svc-e2e-backup-");
        Path to = Files.createTempDirectory("svc-e2e-restore-");
        try {
            JsonNode project;
            JsonNode manifests;
            String token;
            try (Platform platform = Platform.start(PlatformCommand.onFreePorts(from))) {
                project = platform.controlPlane().create("kept");
                platform.controlPlane()
                        .query(
                                project.get("ref").asText(),
                                "CREATE TABLE kept (id int PRIMARY KEY); INSERT INTO kept VALUES (7); NOTIFY pgrst")
                        .expect(201);
                token = platform.connection().token();
                try (ServerDatabase database = ServerDatabase.of(platform)) {
                    Files.createDirectories(to.resolve("postgres"));
                    database.baseBackup(to.resolve("postgres/data"));
                }
                // Later than the backup, and lost with what came after it.
                platform.controlPlane()
                        .query(project.get("ref").asText(), "INSERT INTO kept VALUES (8)")
                        .expect(201);
                manifests = manifests(platform);
                copy(from.resolve("s3"), to.resolve("s3"));
                for (String secret : List.of("master.key", "admin.token", "s3.secret", "postgres/operator.password")) {
                    copy(from.resolve(secret), to.resolve(secret));
                }
            }
            try (Platform restored = Platform.start(PlatformCommand.onFreePorts(to))) {
                apply(restored, manifests);
                String ref = project.get("ref").asText();
                Program.kubectl(
                        restored, "wait", "project", "--all", "-n", "svc", "--for=condition=Ready", "--timeout=180s");
                assertThat(restored.connection().token()).isEqualTo(token);
                JsonNode now = restored.controlPlane()
                        .get("/projects/" + ref)
                        .expect(200)
                        .json();
                assertThat(now.get("anon_key")).isEqualTo(project.get("anon_key"));
                assertThat(ControlPlane.send(HttpRequest.newBuilder(URI.create(
                                                restored.connection().pathUrl(ref) + "/rest/v1/kept?select=id"))
                                        .header(
                                                "apikey",
                                                project.get("anon_key").asText()))
                                .expect(200)
                                .response()
                                .body())
                        .isEqualTo("[{\"id\":7}]");
            }
        } finally {
            Folders.deleteRecursively(from);
            Folders.deleteRecursively(to);
        }
    }

    /** As a repository would hold them: what the API server and the operator added is left out. */
    private static JsonNode manifests(Platform platform) throws IOException {
        JsonNode list = JSON.readTree(Program.kubectl(
                platform, "get", "projects,edgefunctions,functionsecrets", "--all-namespaces", "-o", "json"));
        for (JsonNode item : list.get("items")) {
            ((ObjectNode) item).remove("status");
            ((ObjectNode) item.get("metadata"))
                    .remove(List.of(
                            "uid",
                            "resourceVersion",
                            "creationTimestamp",
                            "generation",
                            "managedFields",
                            "finalizers"));
        }
        return list;
    }

    private static void apply(Platform platform, JsonNode manifests) throws IOException {
        Path file = Files.createTempFile("svc-e2e-", ".json");
        try {
            Files.writeString(file, manifests.toString());
            Program.kubectl(platform, "apply", "-f", file.toString());
        } finally {
            Files.delete(file);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        var words = List.of("cp", "-a", from.toString(), to.toString());
        Program.run(words, Map.of()).succeeded(words);
    }
}
