package svc.e2e.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A platform that ends again and again is started again a few times, and then given up with a word and a code. */
class GivenUpTest {
    @TempDir
    private Path tree;

    private Path starts;
    private Path waits;

    @BeforeEach
    void name() {
        starts = tree.resolve("starts");
        waits = tree.resolve("waits");
    }

    private Launcher.Ended upWith(String java) throws IOException {
        return Launcher.ofPrograms(tree, "echo start >>'" + starts + "'; " + java, waits)
                .run("up", "--data", tree.resolve("data").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill -KILL $$", "kill -SEGV $$", "exit 3"})
    void aPlatformThatDiesFiveTimes(String death) throws IOException {
        Launcher.Ended ended = upWith(death);

        assertThat(ended.code()).as(ended.output()).isEqualTo(70);
        assertThat(ended.output())
                .contains("the platform died 5 times within 5 minutes")
                .contains("It is not started again; no data is lost");
        assertThat(Files.readAllLines(starts)).hasSize(5);
        assertThat(Files.readAllLines(waits)).isEqualTo(List.of("1", "2", "4", "8"));
        assertThat(tree.resolve("data/supervisor.pid")).doesNotExist();
    }

    @Test
    void aPlatformThatIsAbleToRunInTheEnd() throws IOException {
        Launcher.Ended ended = upWith("[ $(wc -l <'" + starts + "') -gt 2 ] || kill -KILL $$");

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(Files.readAllLines(starts)).hasSize(3);
        assertThat(Files.readAllLines(waits)).isEqualTo(List.of("1", "2"));
    }

    /** A repeated start would end the same. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aPlatformThatEndsByItself(int code) throws IOException {
        Launcher.Ended ended = upWith("exit " + code);

        assertThat(ended.code()).as(ended.output()).isEqualTo(code);
        assertThat(Files.readAllLines(starts)).hasSize(1);
        assertThat(waits).doesNotExist();
    }

    @Test
    void detachedItSaysWhyThereIsNoPlatform() throws IOException {
        Launcher.Ended ended = Launcher.ofPrograms(tree, "kill -KILL $$", waits)
                .run("up", "--detach", "--data", tree.resolve("data").toString());

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output()).contains("died 5 times").contains("the platform did not start");
    }
}
