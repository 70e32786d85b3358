package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Where no control group caps memory, a process that takes more than it may is ended, and no other. */
class MemoryWatchTest {
    private static final long LIMIT = 64L << 20;

    @Test
    void whoHoldsTooMuchIsEndedAndWhoDoesNotGoesOn() throws Exception {
        // It keeps the last line of its input, which never ends.
        Process growing = new ProcessBuilder("tail", "/dev/zero").start();
        Process quiet = new ProcessBuilder("sleep", "300").start();
        try (var watch = new MemoryWatch()) {
            var blamed = new CompletableFuture<String>();
            watch.add(quiet.toHandle(), LIMIT, () -> blamed.complete("quiet"));
            watch.add(growing.toHandle(), LIMIT, () -> blamed.complete("growing"));

            assertThat(blamed.get(60, TimeUnit.SECONDS)).isEqualTo("growing");
            assertThat(growing.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(quiet.isAlive()).isTrue();
        } finally {
            growing.destroyForcibly();
            quiet.destroyForcibly();
        }
    }
}
