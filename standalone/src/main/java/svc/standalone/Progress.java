package svc.standalone;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;

/** Progress lines on the terminal, one per starting part. */
final class Progress {
    private final PrintStream out;
    private final Instant begin = Instant.now();

    Progress(PrintStream out) {
        this.out = out;
    }

    /** Prints that a part is starting. */
    void step(String part) {
        out.printf("  %5.1f s  starting %s%n", elapsed(), part);
    }

    /** Prints a line that is not a step. */
    void note(String text) {
        out.println("           " + text);
    }

    /** Seconds since the start. */
    double elapsed() {
        return Duration.between(begin, Instant.now()).toMillis() / 1000.0;
    }
}
