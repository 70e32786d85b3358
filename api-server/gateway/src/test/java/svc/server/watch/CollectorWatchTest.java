package svc.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A real process that thrashes ends with the code of one that is out of memory, and says why. */
class CollectorWatchTest {
    private static final long LIMIT_SECONDS = 180;

    @Test
    void aProcessThatOnlyCollectsEndsWithCode3() throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx40m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ThrashingProgram.class.getName(),
                        "2000")
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(program.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(program.exitValue()).as(said).isEqualTo(3);
            assertThat(said).contains("svc: garbage collection took ").contains("It ends with code 3");
        } finally {
            program.destroyForcibly();
        }
    }
}
