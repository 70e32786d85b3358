package svc.storage.image;

import java.time.Duration;
import svc.platform.process.ProcessLimits;

/**
 * What the transformation of images may take of the machine.
 *
 * @param workers images that are transformed at the same time
 * @param spare whether a process is kept ready for a project that comes next
 * @param job of one image, with the time in which its bytes are fetched
 * @param recycleBytes a process that holds more after its work is replaced
 * @param idle how long an unused process is kept
 * @param waitingOfOne images of one project that may wait
 * @param waiting images of all projects
 * @param patience how long one waits
 */
public record ImageLimits(
        int workers,
        boolean spare,
        ProcessLimits job,
        long recycleBytes,
        Duration idle,
        int waitingOfOne,
        int waiting,
        Duration patience) {
    private static final Duration PROCESSOR_TIME = Duration.ofSeconds(8);
    private static final Duration WALL_TIME = Duration.ofSeconds(20);

    /** The decoder's own 512 MB, and what is around it. */
    private static final long RESIDENT = 720L << 20;

    private static final long RECYCLE = 400L << 20;

    /** @param workers 0 for none: nothing is transformed */
    public static ImageLimits of(int workers, boolean spare) {
        return new ImageLimits(
                workers,
                spare,
                new ProcessLimits(WALL_TIME, RESIDENT).withProcessorTime(PROCESSOR_TIME),
                RECYCLE,
                Duration.ofMinutes(5),
                32,
                256,
                Duration.ofSeconds(10));
    }

    /** All processors but one, which the service itself needs. */
    public static int defaultWorkers() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    }
}
