package svc.embedded.kubernetes.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The journal as one append-only file, rewritten when it has grown to several times what it describes.
 *
 * <p>An entry is with the operating system before {@link #append} returns, so {@code kill -9} loses nothing; one
 * thread flushes to the disk for all writers that wait at that moment. A damaged end, as a power failure leaves it, is
 * moved aside into a file next to the journal, so that it never prevents a start.
 */
final class FileJournal implements Journal {
    private static final System.Logger LOG = System.getLogger(FileJournal.class.getName());
    private static final long REWRITE_FROM = 16L << 20;
    private static final int REWRITE_RATIO = 4;

    private final Path path;
    private final FileChannel lockChannel;
    private final FileLock lock;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition appended = mutex.newCondition();
    private final Condition flushed = mutex.newCondition();
    private final Thread flusher;
    // Not a FileChannel: an interrupt of any writer would close it for all.
    private RandomAccessFile file;
    private int rewrites;
    private long size;
    private long sizeWhenRewritten;
    private long position;
    private long durable;
    private boolean closed;
    private Optional<IOException> broken = Optional.empty();

    /** Opens or creates the journal of a folder; {@link #recover} must be called before the first append.
     *
     * @throws IOException when another process holds it, or the folder cannot be written */
    FileJournal(Path folder) throws IOException {
        Files.createDirectories(folder);
        this.path = folder.resolve("objects.journal");
        this.lockChannel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        this.lock = lock(folder);
        this.file = open(path);
        this.flusher = Thread.ofPlatform().daemon().name("kubernetes-journal").unstarted(this::flushLoop);
    }

    private FileLock lock(Path folder) throws IOException {
        try {
            return Optional.ofNullable(lockChannel.tryLock())
                    .orElseThrow(() -> new IOException("another process uses the folder " + folder));
        } catch (OverlappingFileLockException e) {
            throw new IOException("this process already uses the folder " + folder, e);
        }
    }

    /** Everything the journal holds; cuts off a damaged end. */
    Recovered recover() throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(path));
        Map<ObjectKey, StoredObject> objects = new TreeMap<>();
        long version = 0;
        for (Optional<JournalFormat.Read> next = JournalFormat.decode(content);
                next.isPresent();
                next = JournalFormat.decode(content)) {
            JournalFormat.Read read = next.get();
            version = Math.max(version, read.version());
            read.key()
                    .ifPresent(key -> read.object()
                            .ifPresentOrElse(object -> objects.put(key, object), () -> objects.remove(key)));
        }
        if (content.hasRemaining()) {
            setAsideDamage(content);
        }
        size = content.position();
        file.setLength(size);
        file.seek(size);
        sizeWhenRewritten =
                objects.values().stream().mapToLong(o -> o.json().length).sum();
        flusher.start();
        return new Recovered(objects.values().stream().toList(), version);
    }

    private void setAsideDamage(ByteBuffer content) throws IOException {
        Path aside = path.resolveSibling("objects.journal.damaged");
        LOG.log(
                System.Logger.Level.WARNING,
                "the journal {0} ends in {1} bytes that are not a complete entry; moved them to {2}",
                path,
                content.remaining(),
                aside);
        try (RandomAccessFile out = open(aside)) {
            out.setLength(0);
            out.write(content.array(), content.position(), content.remaining());
            out.getFD().sync();
        }
    }

    @Override
    public long append(Entry entry) {
        byte[] bytes = JournalFormat.encode(entry).array();
        mutex.lock();
        try {
            refuseWhenBroken();
            writeOrTakeBack(bytes);
            appended.signal();
            return ++position;
        } finally {
            mutex.unlock();
        }
    }

    // When the disk is full, remove the partial entry: later entries must stay readable.
    private void writeOrTakeBack(byte[] bytes) {
        try {
            file.write(bytes);
            size += bytes.length;
        } catch (IOException e) {
            try {
                file.setLength(size);
                file.seek(size);
            } catch (IOException again) {
                e.addSuppressed(again);
                breakDown(e);
            }
            throw new UncheckedIOException("while writing the journal " + path, e);
        }
    }

    @Override
    public void awaitDurable(long wanted) {
        mutex.lock();
        try {
            while (durable < wanted) {
                refuseWhenBroken();
                flushed.awaitUninterruptibly();
            }
        } finally {
            mutex.unlock();
        }
    }

    private void flushLoop() {
        mutex.lock();
        try {
            while (!closed || durable < position) {
                if (durable == position) {
                    appended.awaitUninterruptibly();
                } else {
                    flushOnce();
                }
            }
        } catch (IOException e) {
            // What a failed flush left on the disk is unknown: nothing may be acknowledged after it.
            breakDown(e);
        } finally {
            flushed.signalAll();
            mutex.unlock();
        }
    }

    private void flushOnce() throws IOException {
        long upTo = position;
        int before = rewrites;
        RandomAccessFile current = file;
        Optional<IOException> failure = Optional.empty();
        mutex.unlock();
        try {
            current.getFD().sync();
        } catch (IOException e) {
            failure = Optional.of(e);
        } finally {
            mutex.lock();
        }
        // A rewrite meanwhile has closed the file, and put all of it on the disk.
        if (failure.isPresent() && before == rewrites) {
            throw failure.get();
        }
        durable = Math.max(durable, upTo);
        flushed.signalAll();
    }

    @Override
    public boolean oversized() {
        return size > REWRITE_FROM && size > REWRITE_RATIO * sizeWhenRewritten;
    }

    @Override
    public void rewrite(Collection<StoredObject> objects, long version) {
        mutex.lock();
        try {
            refuseWhenBroken();
            RandomAccessFile next = writeSnapshot(objects, version);
            file.close();
            file = next;
            rewrites++;
            size = next.length();
            sizeWhenRewritten = size;
            durable = position;
            flushed.signalAll();
        } catch (IOException e) {
            // The journal is valid, only long: keep it until the next attempt.
            LOG.log(System.Logger.Level.ERROR, "while rewriting the journal " + path, e);
            sizeWhenRewritten = size;
        } finally {
            mutex.unlock();
        }
    }

    private RandomAccessFile writeSnapshot(Collection<StoredObject> objects, long version) throws IOException {
        Path next = path.resolveSibling("objects.journal.next");
        Files.deleteIfExists(next);
        RandomAccessFile out = open(next);
        try {
            out.write(JournalFormat.encodeVersion(version).array());
            for (StoredObject object : objects) {
                out.write(JournalFormat.encode(new Entry.Put(object)).array());
            }
            out.getFD().sync();
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            out.close();
            throw e;
        }
        try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
        return out;
    }

    @Override
    public void close() throws IOException {
        mutex.lock();
        try {
            closed = true;
            appended.signal();
        } finally {
            mutex.unlock();
        }
        boolean interrupted = Thread.interrupted();
        try {
            flusher.join();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        file.close();
        lock.release();
        lockChannel.close();
    }

    private void breakDown(IOException e) {
        LOG.log(System.Logger.Level.ERROR, "the journal " + path + " rejects entries until a restart", e);
        broken = Optional.of(e);
        flushed.signalAll();
    }

    private void refuseWhenBroken() {
        if (closed) {
            throw new IllegalStateException("the journal " + path + " is closed");
        }
        broken.ifPresent(e -> {
            throw new UncheckedIOException("the journal " + path + " could not be written earlier", e);
        });
    }

    private static RandomAccessFile open(Path path) throws IOException {
        if (!Files.exists(path)) {
            // It contains Secrets.
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        return new RandomAccessFile(path.toFile(), "rw");
    }
}
