package svc.standalone;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;

/** What somebody who waits at the terminal sees: one line as each part begins. */
final class Progress {
    private final PrintStream out;
    private final Instant begin = Instant.now();

    Progress(PrintStream out) {
        this.out = out;
    }

    /** Says that a part is being started. */
    void step(String part) {
        out.printf("  %5.1f s  starting %s%n", elapsed(), part);
    }

    /** Says something that is no step. */
    void note(String text) {
        out.println("           " + text);
    }

    /** Seconds since the start. */
    double elapsed() {
        return Duration.between(begin, Instant.now()).toMillis() / 1000.0;
    }
}
