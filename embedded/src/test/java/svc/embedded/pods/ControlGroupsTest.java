package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static svc.embedded.kubernetes.TestApi.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where this machine lets us make control groups, a pod has no more memory, processor time and processes than it may. */
class ControlGroupsTest {
    private static ControlGroups groups;

    @BeforeAll
    static void detect() {
        groups = ControlGroups.detect("svc-test-" + ProcessHandle.current().pid());
        assumeTrue(groups.available(), "this machine lets us make no control groups");
    }

    @AfterAll
    static void close() {
        groups.close();
    }

    private static Process inside(List<Path> joins, String script) throws Exception {
        String join = joins.stream().map(file -> "echo $$ > " + file).collect(Collectors.joining(" && "));
        return new ProcessBuilder("/bin/sh", "-c", join + " && " + script)
                .redirectErrorStream(true)
                .start();
    }

    @Test
    void aMemoryBombIsKilled() throws Exception {
        List<Path> joins = groups.create("memory", 32L << 20, 1_000);
        Process bomb = inside(joins, "exec tail /dev/zero");
        assertThat(bomb.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bomb.exitValue()).isEqualTo(137);
        groups.remove(joins);
        assertThat(joins).allSatisfy(file -> assertThat(file.getParent()).doesNotExist());
    }

    @Test
    void aForkBombStaysSmall() throws Exception {
        List<Path> joins = groups.create("forks", 256L << 20, 1_000);
        Process bomb = inside(joins, "for i in $(seq 400); do sleep 20 >/dev/null 2>&1 & done; echo none refused");
        String said = new String(bomb.getInputStream().readNBytes(4_096), StandardCharsets.UTF_8);
        List<String> alive = Files.readAllLines(joins.getLast());
        alive.forEach(pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly));
        assertThat(said).doesNotContain("none refused");
        assertThat(alive).hasSizeBetween(100, 256);
    }

    @Test
    void aSpinningProcessGetsItsShareAlone() throws Exception {
        List<Path> joins = groups.create("spin", 64L << 20, 100);
        Process spinning = inside(joins, "while :; do :; done");
        try {
            // Two of its ten milliseconds in each hundred are over: it has been made to wait.
            Path statistics = joins.stream()
                    .map(file -> file.resolveSibling("cpu.stat"))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            await("it is held back", () -> isThrottled(statistics));
        } finally {
            spinning.destroyForcibly();
        }
    }

    private static boolean isThrottled(Path statistics) {
        try {
            return Files.readAllLines(statistics).stream()
                    .filter(line -> line.startsWith("nr_throttled "))
                    .anyMatch(line -> !line.endsWith(" 0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
