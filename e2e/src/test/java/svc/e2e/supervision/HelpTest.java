package svc.e2e.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --help} of every command prints the usage, and builds and starts nothing. */
class HelpTest {
    @TempDir
    private Path tree;

    @ParameterizedTest
    @ValueSource(strings = {"up", "down", "test", "bench", "build", "images"})
    void ofACommandPrintsTheUsage(String command) throws IOException {
        Launcher.Ended ended =
                Launcher.ofPrograms(tree, "echo started", tree.resolve("waits")).run(command, "--help");

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.output()).startsWith("usage: ./svc <command>").doesNotContain("started");
    }
}
