package svc.embedded.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reserves numbers of this machine, such as TCP ports and user ids, among all processes of one user: number n is byte n of
 * a locked file. A reservation ends with its process, however that ends.
 */
public final class Reservations {
    /** The outcome of {@link #take}. */
    public enum Outcome {
        RESERVED,
        /** By this process, earlier. */
        OURS,
        /** By another process. */
        THEIRS
    }

    private final Optional<FileChannel> file;
    private final Map<Integer, FileLock> locks = new HashMap<>();
    private final Set<Integer> unlocked = new HashSet<>();

    private Reservations(Optional<FileChannel> file) {
        this.file = file;
    }

    /** @param kind of the numbers, such as {@code ports} */
    public static Reservations of(String kind) {
        return in(Path.of(System.getProperty("java.io.tmpdir")), kind);
    }

    // The channel is never closed: POSIX locks of a file end when any descriptor of it is closed by the process.
    static Reservations in(Path folder, String kind) {
        Path file = folder.resolve("svc-" + kind + "-" + System.getProperty("user.name"));
        try {
            return new Reservations(Optional.of(FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)));
        } catch (IOException e) {
            // Another user's file: numbers are reserved within this process only, as if it were alone.
            return new Reservations(Optional.empty());
        }
    }

    /** Reserves a number until {@link #release} or the end of this process. */
    public synchronized Outcome take(int number) {
        if (locks.containsKey(number) || unlocked.contains(number)) {
            return Outcome.OURS;
        }
        if (file.isEmpty()) {
            unlocked.add(number);
            return Outcome.RESERVED;
        }
        try {
            FileLock lock = file.get().tryLock(number, 1, false);
            if (lock == null) {
                return Outcome.THEIRS;
            }
            locks.put(number, lock);
            return Outcome.RESERVED;
        } catch (OverlappingFileLockException e) {
            // By this class under another class loader.
            return Outcome.OURS;
        } catch (IOException e) {
            unlocked.add(number);
            return Outcome.RESERVED;
        }
    }

    public synchronized void release(int number) {
        unlocked.remove(number);
        FileLock lock = locks.remove(number);
        if (lock != null) {
            try {
                lock.release();
            } catch (IOException e) {
                // It ends with this process at the latest.
                locks.put(number, lock);
            }
        }
    }
}
