package svc.sqlgate.parser;

import java.util.Optional;
import svc.platform.budget.SharedPlaces;
import svc.platform.process.PoolSettings;
import svc.platform.process.ProcessLimits;

/**
 * Limits of the parser's processes. Each bounds the effect of one tenant's text on the others.
 *
 * @param processes how many texts are read at the same time
 * @param waiting how many callers of one project may wait for a process; one more is refused at once. Of an
 *     organisation's projects together twice as many, of all eight times
 * @param times for reading, waiting and starting
 * @param contentBytes largest request, in bytes of UTF-8; the program itself refuses more than 2 MB
 * @param answerBytes largest answer, in bytes of JSON; a tree is about 40 times its text
 * @param heapMegabytes of the JavaScript engine; the parser's own memory is capped by the program
 * @param residentBytes a process that holds more while it reads is killed
 * @param recycleBytes a process that holds more after an answer is replaced before it reads again
 */
public record ParserLimits(
        int processes,
        int waiting,
        ParserTimes times,
        int contentBytes,
        int answerBytes,
        int heapMegabytes,
        long residentBytes,
        long recycleBytes) {
    private static final long MEGABYTE = 1L << 20;

    /** A text of more bytes is read beside shorter ones, and never while another such text is read. */
    private static final int LONG_BYTES = 16 << 10;

    private static final int ORGANIZATION = 2;
    private static final int ALL = 8;

    /** For a text of at most 256 KB (notes of the gate): two processes, two seconds of their time. */
    public static ParserLimits defaults() {
        return new ParserLimits(
                2,
                32,
                ParserTimes.defaults(),
                (int) (2 * MEGABYTE),
                (int) (24 * MEGABYTE),
                128,
                640 * MEGABYTE,
                320 * MEGABYTE);
    }

    /** How callers share the processes: one of them, where there are several, never reads long texts. */
    SharedPlaces.Limits turns() {
        return new SharedPlaces.Limits(
                processes, Math.max(1, processes - 1), waiting, ORGANIZATION * waiting, ALL * waiting);
    }

    /** What reading a text of so many bytes is. */
    SharedPlaces.Work work(int bytes) {
        return bytes > LONG_BYTES ? SharedPlaces.Work.LONG : SharedPlaces.Work.SHORT;
    }

    /** How the pool keeps its processes. */
    PoolSettings pool() {
        return new PoolSettings(
                "SQL parser",
                processes,
                times.queue(),
                new ProcessLimits(times.start(), residentBytes).withProcessorTime(times.start()),
                recycleBytes,
                Optional.empty());
    }

    /** The limits of one request. */
    ProcessLimits request() {
        return new ProcessLimits(times.deadline(), residentBytes).withProcessorTime(times.work());
    }

    public ParserLimits withProcesses(int count) {
        return new ParserLimits(
                count, waiting, times, contentBytes, answerBytes, heapMegabytes, residentBytes, recycleBytes);
    }

    public ParserLimits withWaiting(int callers) {
        return new ParserLimits(
                processes, callers, times, contentBytes, answerBytes, heapMegabytes, residentBytes, recycleBytes);
    }

    public ParserLimits withTimes(ParserTimes others) {
        return new ParserLimits(
                processes, waiting, others, contentBytes, answerBytes, heapMegabytes, residentBytes, recycleBytes);
    }
}
