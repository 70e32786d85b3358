package svc.embedded.pods.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.pods.FunctionsTest;
import svc.embedded.pods.PodRunner;
import svc.embedded.process.Folders;
import svc.embedded.process.Orphan;

/** A platform that was killed leaves processes of functions behind; the next platform on the folder ends them. */
class KilledPlatformTest {
    private Path folder;

    @AfterEach
    void deleteFolder() throws IOException {
        if (folder != null) {
            Folders.deleteRecursively(folder);
        }
    }

    @Test
    void processesOfAKilledPlatformAreEndedByTheNext() throws Exception {
        Process killed = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Platform.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<ProcessHandle> left;
        try (var lines = killed.inputReader()) {
            folder = Path.of(lines.lines()
                    .filter(line -> line.startsWith(Platform.FOLDER))
                    .map(line -> line.substring(Platform.FOLDER.length()))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the platform ended by itself")));
            left = ProcessHandle.allProcesses()
                    .filter(Orphan.runsWith(folder.resolve("run").toString()))
                    .toList();
        } finally {
            killed.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        assertThat(left).isNotEmpty().allMatch(ProcessHandle::isAlive);
        assertThat(folder.resolve("run/default/orphan")).isDirectory();
        try (var kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
                var next = PodRunner.start(kubernetes, Platform.settingsIn(folder))) {
            assertThat(left).noneMatch(ProcessHandle::isAlive);
            assertThat(next.sockets()).isDirectory();
            assertThat(Arrays.asList(next.sockets().toFile().list())).doesNotContain("default");
        }
    }

    /** The process that is killed: prints its folder when a function of it serves. */
    static final class Platform extends FunctionsTest {
        static final String FOLDER = "folder: ";

        private Platform() {}

        static PodRunner.Settings settingsIn(Path folder) {
            return settings(folder);
        }

        public static void main(String[] arguments) throws Exception {
            startMachine();
            deploy("orphan", "export default () => new Response('left');");
            System.out.println(FOLDER + folder);
            Thread.sleep(TimeUnit.MINUTES.toMillis(1));
        }
    }
}
