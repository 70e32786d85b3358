package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.kubernetes.log.LogQuery;
import svc.embedded.kubernetes.log.PodLog;
import svc.embedded.pods.FunctionProcess.End;

/** Promise: what a process says while it is being stopped is in its log when it is gone. */
class CrashOutputTest {
    private static final String SAYS_TEN_LINES_WHEN_ASKED_TO_GO = """
            trap 'for i in 1 2 3 4 5 6 7 8 9 10; do echo "line $i of ten"; done; exit 0' TERM
            echo here
            while :; do sleep 0.05; done""";

    @TempDir
    private Path folder;

    @Test
    void aSlowReaderHearsThemAll() throws Exception {
        var log = new PodLog();
        var here = new CompletableFuture<Void>();
        log.follow(everything(), new PodLog.Reader() {
            @Override
            public void line(String text) {
                here.complete(null);
                // As slow as a machine with no processor to spare.
                await(Duration.ofMillis(20));
            }

            @Override
            public void end() {}
        });
        var process = FunctionProcess.start(
                List.of("/bin/sh", "-c", SAYS_TEN_LINES_WHEN_ASKED_TO_GO),
                Map.of("PATH", "/usr/bin:/bin"),
                folder,
                List.of(),
                "key",
                log,
                new Silent());
        here.get(60, TimeUnit.SECONDS);
        var said = new CompletableFuture<List<String>>();

        process.stop(Duration.ofMillis(1), Duration.ofSeconds(60), () -> said.complete(log.read(everything())));

        assertThat(said.get(120, TimeUnit.SECONDS).getLast()).contains("line 10 of ten");
    }

    private static LogQuery everything() {
        return new LogQuery(Optional.empty(), Optional.empty(), Optional.empty(), false, false);
    }

    private static void await(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Silent implements FunctionProcess.Listener {
        @Override
        public void ready() {}

        @Override
        public void ended(End end) {}
    }
}
