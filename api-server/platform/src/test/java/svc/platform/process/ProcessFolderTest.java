package svc.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: temporary folders end with their process, also when it is killed, and none that is in use is deleted. */
class ProcessFolderTest {
    private static final String KIND = "svc-test-";

    @TempDir
    private Path parent;

    private record Other(Process process, Path folder) {
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    private Other start(String kind) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FolderProgram.class.getName(),
                        parent.toString(),
                        kind)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = process.inputReader();
        return new Other(process, Path.of(said.readLine()));
    }

    private long folders() throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            return all.count();
        }
    }

    @Test
    void theFolderOfAKilledProcessIsDeletedByTheNextOneOfItsKind() throws Exception {
        Other killed = start(KIND);
        Other running = start(KIND);
        Other ofAnotherKind = start("other-");
        killed.kill();
        ofAnotherKind.kill();

        try (ProcessFolder own = ProcessFolder.create(parent, KIND)) {
            assertThat(killed.folder()).doesNotExist();
            assertThat(running.folder().resolve("cache/deep/file")).exists();
            assertThat(ofAnotherKind.folder()).exists();
            assertThat(own.path()).isDirectory();
        } finally {
            running.kill();
        }
    }

    @Test
    void oneProcessMayHaveSeveralAndClosingOneLeavesTheOthersLocked() throws Exception {
        ProcessFolder first = ProcessFolder.create(parent, KIND);
        ProcessFolder second = ProcessFolder.create(parent, KIND);
        second.close();
        assertThat(second.path()).doesNotExist();

        Other next = start(KIND);

        assertThat(first.path()).exists();
        next.kill();
        first.close();
        assertThat(folders()).isEqualTo(1);
    }

    @Test
    void whatHasNoLockIsNotTouched() throws Exception {
        Path foreign = Files.createDirectory(parent.resolve(KIND + "foreign"));

        ProcessFolder.create(parent, KIND).close();

        assertThat(foreign).exists();
    }
}
