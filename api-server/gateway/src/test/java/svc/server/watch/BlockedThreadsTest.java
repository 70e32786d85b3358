package svc.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Promise: a blocked thread is one line of the log, with the code that it runs. */
class BlockedThreadsTest {
    @Test
    void aBlockedThreadIsOneLine() {
        String line = BlockedThreads.line(Thread.currentThread(), 2 * TimeUnit.SECONDS.toNanos(1));

        assertThat(line.lines()).hasSize(1);
        assertThat(line).contains(Thread.currentThread().getName()).contains("2000 ms");
    }
}
