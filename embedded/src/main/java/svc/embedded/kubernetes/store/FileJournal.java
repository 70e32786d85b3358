package svc.embedded.kubernetes.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
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
 * moved aside into a file next to the journal, never into the way of a start.
 */
final class FileJournal implements Journal {
    private static final System.Logger LOG = System.getLogger(FileJournal.class.getName());
    private static final long REWRITE_FROM = 16L << 20;
    private static final int REWRITE_RATIO = 4;

    private final Path file;
    private final FileChannel lockChannel;
    private final FileLock lock;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition appended = mutex.newCondition();
    private final Condition flushed = mutex.newCondition();
    private final Thread flusher;
    private FileChannel channel;
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
        this.file = folder.resolve("objects.journal");
        this.lockChannel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        this.lock = Optional.ofNullable(lockChannel.tryLock())
                .orElseThrow(() -> new IOException("another Kubernetes API uses the folder " + folder));
        this.channel = open(file);
        this.flusher = Thread.ofPlatform().daemon().name("kubernetes-journal").unstarted(this::flushLoop);
    }

    /** Everything the journal holds; cuts off a damaged end. */
    Recovered recover() throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
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
        channel.truncate(size).position(size);
        sizeWhenRewritten =
                objects.values().stream().mapToLong(o -> o.json().length).sum();
        flusher.start();
        return new Recovered(objects.values().stream().toList(), version);
    }

    private void setAsideDamage(ByteBuffer content) throws IOException {
        Path aside = file.resolveSibling("objects.journal.damaged");
        LOG.log(
                System.Logger.Level.WARNING,
                "the journal {0} ends in {1} bytes that are no whole entry; they are moved to {2}",
                file,
                content.remaining(),
                aside);
        try (FileChannel out = open(aside)) {
            out.truncate(0);
            write(out, content.slice());
            out.force(true);
        }
    }

    @Override
    public long append(Entry entry) {
        ByteBuffer bytes = JournalFormat.encode(entry);
        mutex.lock();
        try {
            refuseWhenBroken();
            size += bytes.remaining();
            write(channel, bytes);
            appended.signal();
            return ++position;
        } catch (IOException e) {
            throw breakDown(e);
        } finally {
            mutex.unlock();
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
                    continue;
                }
                flushOnce();
            }
        } catch (IOException e) {
            breakDown(e);
        } finally {
            flushed.signalAll();
            mutex.unlock();
        }
    }

    private void flushOnce() throws IOException {
        long upTo = position;
        FileChannel current = channel;
        mutex.unlock();
        try {
            current.force(false);
        } catch (java.nio.channels.ClosedChannelException e) {
            // Replaced by a rewrite meanwhile, which is on the disk as a whole.
            LOG.log(System.Logger.Level.TRACE, "the journal was rewritten while it was flushed", e);
        } finally {
            mutex.lock();
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
            Path next = file.resolveSibling("objects.journal.next");
            Files.deleteIfExists(next);
            FileChannel out = open(next);
            write(out, JournalFormat.encodeVersion(version));
            for (StoredObject object : objects) {
                write(out, JournalFormat.encode(new Entry.Put(object)));
            }
            out.force(true);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
                folder.force(true);
            }
            channel.close();
            channel = out;
            size = out.size();
            sizeWhenRewritten = size;
            durable = position;
            flushed.signalAll();
        } catch (IOException e) {
            throw breakDown(e);
        } finally {
            mutex.unlock();
        }
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
        try {
            flusher.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.close();
        lock.release();
        lockChannel.close();
    }

    // After a failed write the file may end in half an entry: nothing may be appended behind it.
    private UncheckedIOException breakDown(IOException e) {
        broken = Optional.of(e);
        flushed.signalAll();
        return new UncheckedIOException("while writing the journal " + file, e);
    }

    private void refuseWhenBroken() {
        if (closed) {
            throw new IllegalStateException("the journal " + file + " is closed");
        }
        broken.ifPresent(e -> {
            throw new UncheckedIOException("the journal " + file + " could not be written earlier", e);
        });
    }

    private static FileChannel open(Path path) throws IOException {
        // Secrets are in it.
        return FileChannel.open(
                path,
                java.util.Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static void write(FileChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }
}
