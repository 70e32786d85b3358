package svc.sqlgate.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;

/** All processes of a pool, stopped by a signal as by a machine that stands still; closing it lets them go on. */
public record StoppedParsers(List<Long> processes) implements AutoCloseable {
    /** Waits until the pool's processes are up, and stops them. */
    public static StoppedParsers of(ParserPool pool, int count) throws IOException, InterruptedException {
        while (pool.processIds().size() < count) {
            Thread.sleep(5);
        }
        var stopped = new StoppedParsers(pool.processIds());
        for (long process : stopped.processes) {
            assertThat(signal("STOP", process)).isZero();
        }
        return stopped;
    }

    private static int signal(String name, long process) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + name, Long.toString(process))
                .start()
                .waitFor();
    }

    /** What was killed meanwhile stays dead. */
    @Override
    public void close() throws IOException, InterruptedException {
        for (long process : processes) {
            signal("CONT", process);
        }
    }
}
