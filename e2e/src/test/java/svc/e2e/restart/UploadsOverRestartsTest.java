package svc.e2e.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.ClientProgram;
import svc.embedded.process.Folders;

/** An upload that a client of TUS has begun goes on after the platform was killed, and has every byte. */
class UploadsOverRestartsTest {
    @Test
    void afterKill9() throws Exception {
        Path data = Files.createTempDirectory("svc-e2e-uploads-");
        Platform platform = Platform.start(PlatformCommand.onFreePorts(data));
        try {
            JsonNode project = platform.controlPlane().create("uploads");
            JsonNode begun = ClientProgram.run(platform, project, "resumable.mjs", Map.of("step", "begin"));
            String before = platform.connection().pathUrl(project.get("ref").asText());
            platform.kill();
            platform = Platform.start(PlatformCommand.onFreePorts(data));
            // The ports are others now.
            String after = platform.connection().pathUrl(project.get("ref").asText());
            String upload = begun.get("upload").asText();
            assertThat(upload).startsWith(before + "/storage/v1/upload/resumable/");
            JsonNode seen = ClientProgram.run(
                    platform,
                    project,
                    "resumable.mjs",
                    Map.of("step", "resume", "upload", after + upload.substring(before.length())));
            assertThat(seen.toString())
                    .isEqualTo("{\"first\":true,\"resumed\":true,\"info\":[9437189,\"text/x-test\",\"max-age=3600\"]}");
        } finally {
            platform.close();
            Folders.deleteRecursively(data);
        }
    }
}
