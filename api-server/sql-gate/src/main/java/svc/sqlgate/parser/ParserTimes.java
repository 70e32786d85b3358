package svc.sqlgate.parser;

import java.time.Duration;

/**
 * How long the parser's processes may take. What a text costs is counted in processor time: on a machine that is busy
 * with something else, or stood still for a moment, reading takes longer and the text is not at fault.
 *
 * @param work processor time for reading one request; a text that needs more is refused for good
 * @param deadline for the answer to one request, by the clock; what it ends may be sent again
 * @param queue for waiting for a process, by the clock
 * @param start for a process to come up, by the clock
 */
public record ParserTimes(Duration work, Duration deadline, Duration queue, Duration start) {
    /** Two seconds of work (notes of the gate), which even a machine at a fifth of its speed does before the deadline. */
    static ParserTimes defaults() {
        return new ParserTimes(
                Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    /** For waiting for memory, which happens while a process is held: far below the deadline. */
    Duration memory() {
        return queue.dividedBy(5);
    }

    /** @param longest that a request may take by the clock */
    ParserTimes withDeadline(Duration longest) {
        return new ParserTimes(work, longest, queue, start);
    }
}
