package svc.e2e.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/** A platform that starts again finds what it had: same projects, same keys, same rows, same admin. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestartTest {
    private Path data;
    private Platform platform;
    private JsonNode project;

    @BeforeAll
    void makeProject() throws IOException {
        data = Files.createTempDirectory("svc-e2e-restart-");
        platform = Platform.start(PlatformCommand.onFreePorts(data));
        project = platform.controlPlane().create("lasting");
        platform.controlPlane()
                .query(ref(), "CREATE TABLE kept (id int PRIMARY KEY); INSERT INTO kept VALUES (7); NOTIFY pgrst")
                .expect(201);
    }

    @AfterAll
    void stop() throws IOException {
        if (platform != null) {
            platform.close();
        }
        Folders.deleteRecursively(data);
    }

    @Test
    void afterAStopInOrder() throws IOException {
        Platform before = platform;
        before.close();
        assertThat(data.resolve("connection.json"))
                .as("no address of a platform that is gone")
                .doesNotExist();
        platform = Platform.start(PlatformCommand.onFreePorts(data));
        expectEverythingToBeThere(before);
    }

    @Test
    void afterKill9() throws IOException {
        Platform before = platform;
        before.kill();
        platform = Platform.start(PlatformCommand.onFreePorts(data));
        expectEverythingToBeThere(before);
    }

    private void expectEverythingToBeThere(Platform before) throws IOException {
        assertThat(platform.connection().token()).isEqualTo(before.connection().token());
        JsonNode now =
                platform.controlPlane().get("/projects/" + ref()).expect(200).json();
        assertThat(now.get("status").asText()).isEqualTo("ACTIVE_HEALTHY");
        assertThat(now.get("anon_key")).isEqualTo(project.get("anon_key"));
        assertThat(now.get("schema")).isEqualTo(project.get("schema"));
        Answer rows = ControlPlane.send(
                HttpRequest.newBuilder(URI.create(platform.connection().pathUrl(ref()) + "/rest/v1/kept?select=id"))
                        .header("apikey", project.get("anon_key").asText()));
        assertThat(rows.expect(200).response().body()).isEqualTo("[{\"id\":7}]");
        // Old projects live on, and new ones can be made.
        assertThat(platform.controlPlane().create("newcomer").get("ref")).isNotEqualTo(project.get("ref"));
    }

    private String ref() {
        return project.get("ref").asText();
    }
}
