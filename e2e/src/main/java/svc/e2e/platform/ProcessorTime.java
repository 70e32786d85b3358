package svc.e2e.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The processor time that processes have taken, in seconds, as Linux counts it in {@code /proc}: what else runs on the
 * machine disturbs it less than the clock.
 */
public final class ProcessorTime {
    private static final int UTIME = 11;
    private static final int STIME = 12;
    private static final int CUTIME = 13;
    private static final int CSTIME = 14;
    /** On every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private ProcessorTime() {}

    /** Of all threads of a process. */
    public static double of(ProcessHandle process) throws IOException {
        return seconds(process, UTIME, STIME);
    }

    /** The same with its children, those that have ended included. */
    public static double ofTree(ProcessHandle root) throws IOException {
        while (true) {
            double sum = seconds(root, UTIME, STIME);
            double ended = seconds(root, CUTIME, CSTIME);
            for (ProcessHandle child : root.descendants().toList()) {
                sum += of(child);
            }
            if (seconds(root, CUTIME, CSTIME) == ended) {
                return sum + ended;
            }
            // One ended meanwhile, and may have been counted twice or not at all.
        }
    }

    private static double seconds(ProcessHandle process, int... fields) throws IOException {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        } catch (NoSuchFileException ended) {
            return 0;
        }
        // The name, in brackets, may hold spaces.
        String[] all = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = 0;
        for (int field : fields) {
            ticks += Long.parseLong(all[field]);
        }
        return ticks / TICKS_PER_SECOND;
    }
}
