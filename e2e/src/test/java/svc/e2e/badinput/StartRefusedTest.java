package svc.e2e.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** A start that cannot succeed ends at once, not with zero, and says what to do about it. */
class StartRefusedTest {
    @TempDir
    private Path folder;

    @Test
    void onAPortThatIsInUse() throws Exception {
        for (int taken : List.of(0, 1)) {
            PlatformCommand command = PlatformCommand.onFreePorts(folder.resolve("data"));
            try (var listener = new ServerSocket(command.port() + taken, 1, InetAddress.getLoopbackAddress())) {
                Program run = Program.run(command.words(), Map.of());
                assertThat(run.code()).isEqualTo(1);
                assertThat(run.output())
                        .contains("port " + listener.getLocalPort() + " is in use")
                        .contains("--port");
            }
            assertThat(command.data()).as("nothing was begun").doesNotExist();
        }
    }

    @Test
    @ExtendWith(SharedPlatform.class)
    void onAFolderThatAnotherPlatformWorksOn(Platform running) throws Exception {
        Program run = Program.run(PlatformCommand.onFreePorts(running.data()).words(), Map.of());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output())
                .contains("another svc process uses " + running.data())
                .contains("./svc down")
                .contains("--data");
        running.controlPlane().get("/projects").expect(200);
    }

    @Test
    void onAFolderThatCannotBeMade() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        Program run = Program.run(PlatformCommand.onFreePorts(file).words(), Map.of());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output()).contains(file.toString()).contains("--data");
    }

    @Test
    void withAnOptionThatDoesNotExist() throws Exception {
        var words = new ArrayList<>(
                PlatformCommand.onFreePorts(folder.resolve("data")).words());
        words.addAll(List.of("--colour", "blue"));
        Program run = Program.run(words, Map.of());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.output()).contains("--colour").contains("--data").contains("--port");
    }
}
