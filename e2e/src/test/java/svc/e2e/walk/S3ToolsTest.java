package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import svc.e2e.platform.Platform;
import svc.e2e.running.S3Tools;
import svc.e2e.running.SharedPlatform;

/** Files by an unchanged {@code aws} (PyPI) and {@code rclone} (Debian), over {@code /p/<ref>} of one machine. */
@ExtendWith(SharedPlatform.class)
class S3ToolsTest {
    @TempDir
    private Path folder;

    @Test
    void filesAreCopiedSynchronizedAndDeleted(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("s3-tools");
        S3Tools tools = S3Tools.of(platform, project.get("ref").asText());
        Path source = Files.createDirectory(folder.resolve("source"));
        byte[] film = new byte[(11 << 20) + 3];
        new Random(3).nextBytes(film);
        Files.write(source.resolve("film.mp4"), film);
        Files.createDirectory(source.resolve("dir"));
        Files.writeString(source.resolve("dir/grüße & co.txt"), "hello");
        Files.writeString(source.resolve("empty"), "");
        Path target = folder.resolve("target");

        tools.aws("s3", "mb", "s3://tools");
        tools.aws("s3", "sync", "--quiet", source.toString(), "s3://tools/aws");
        assertThat(tools.aws("s3", "ls", "--recursive", "s3://tools"))
                .contains("11534339 aws/film.mp4")
                .contains("5 aws/dir/grüße & co.txt")
                .contains("0 aws/empty");
        tools.aws("s3", "sync", "--quiet", "s3://tools/aws", target.toString());
        assertThat(Files.readAllBytes(target.resolve("film.mp4"))).isEqualTo(film);
        assertThat(target.resolve("dir/grüße & co.txt")).hasContent("hello");
        // Larger than one part: it is copied in parts.
        tools.aws("s3", "mv", "--quiet", "s3://tools/aws/film.mp4", "s3://tools/moved.mp4");
        String url = tools.aws("s3", "presign", "s3://tools/aws/dir/grüße & co.txt").strip();
        assertThat(HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                        .body())
                .isEqualTo("hello");

        tools.rclone("copy", "--s3-chunk-size=5M", "--s3-upload-cutoff=5M", source.toString(), "svc:tools/rclone");
        tools.rclone("check", "--download", source.toString(), "svc:tools/rclone");
        assertThat(tools.rclone("lsf", "-R", "svc:tools").lines())
                .contains("moved.mp4", "aws/dir/", "rclone/film.mp4", "rclone/dir/grüße & co.txt");
        Files.delete(source.resolve("film.mp4"));
        Files.writeString(source.resolve("empty"), "not any more");
        tools.rclone("sync", source.toString(), "svc:tools/rclone");
        tools.rclone("check", source.toString(), "svc:tools/rclone");
        tools.rclone("moveto", "svc:tools/moved.mp4", "svc:tools/again/film.mp4");

        tools.aws("s3", "rm", "--quiet", "--recursive", "s3://tools/aws");
        assertThat(tools.aws("s3", "ls", "--recursive", "s3://tools").lines())
                .hasSize(3);
        tools.rclone("purge", "svc:tools/rclone");
        tools.aws("s3", "rb", "--force", "s3://tools");
        assertThat(tools.aws("s3", "ls")).doesNotContain("tools");
    }
}
