package svc.e2e.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./svc down} ends what runs on a folder, also when it does not answer, and nothing starts it again. */
class DownTest {
    /** The part of the platform's start that the launcher waits for. */
    private static final String STARTS = """
        while [ $# -gt 0 ]; do [ "$1" != --data ] || data=$2; shift; done
        echo start >>"$data/starts"; echo $$ >"$data/svc.pid"; touch "$data/connection.json"
        """;

    /** A trap runs when the shell's own wait ends, and not before a program in the foreground does. */
    private static final String RUNS = "while :; do /bin/sleep 1 & wait $!; done";

    @TempDir
    private Path tree;

    private Path data;

    @BeforeEach
    void name() throws IOException {
        data = Files.createDirectories(tree.resolve("data"));
    }

    private Launcher up(String java) throws IOException {
        Launcher launcher = Launcher.ofPrograms(tree, STARTS + java, tree.resolve("waits"));
        Launcher.Ended ended = launcher.run("up", "--detach", "--data", data.toString());
        assertThat(ended.code()).as(ended.output()).isZero();
        return launcher;
    }

    private long platform() throws IOException {
        return Long.parseLong(Files.readString(data.resolve("svc.pid")).strip());
    }

    @Test
    void aPlatformThatAnswersIsStopped() throws IOException {
        Launcher launcher = up("trap 'exit 0' TERM; " + RUNS);

        Launcher.Ended ended = launcher.run("down", "--data", data.toString());

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.output()).isEqualTo("stopped.\n");
        assertThat(ProcessHandle.of(platform()).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void aPlatformThatDoesNotAnswerIsKilledAndNotStartedAgain() throws IOException {
        Launcher launcher = up("trap '' TERM; " + RUNS);

        Launcher.Ended ended = launcher.run("down", "--data", data.toString());

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("process " + platform() + " did not answer SIGTERM within 60 s, so it was killed")
                .contains("No data is lost");
        assertThat(ProcessHandle.of(platform()).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(Files.readAllLines(data.resolve("starts"))).hasSize(1);
        assertThat(data.resolve("supervisor.pid")).doesNotExist();
        assertThat(launcher.run("down", "--data", data.toString()).output()).contains("nothing is running");
    }
}
