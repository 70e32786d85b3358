package svc.operator.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: config/storage-version.sh records a version only when every object was written in it. */
class StorageVersionScriptTest {
    private static final Path SCRIPT = Path.of("..", "config", "storage-version.sh");

    /** Answers which version is stored, and cannot list the objects. */
    private static final String KUBECTL = """
            #!/bin/sh
            case "$*" in
            *jsonpath*) echo v1beta1 ;;
            *--all-namespaces*) exit 1 ;;
            *) echo "$@" ;;
            esac
            """;

    @TempDir
    private Path programs;

    @Test
    void objectsThatCannotBeListedAreNotRecordedAsWritten() throws IOException, InterruptedException {
        Path kubectl = Files.writeString(programs.resolve("kubectl"), KUBECTL);
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
        var script = new ProcessBuilder("sh", SCRIPT.toString(), "v1beta1").redirectErrorStream(true);
        script.environment().merge("PATH", programs.toString(), (path, first) -> first + ":" + path);

        Process run = script.start();

        String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor()).isNotZero();
        assertThat(printed).doesNotContain("storedVersions");
    }
}
