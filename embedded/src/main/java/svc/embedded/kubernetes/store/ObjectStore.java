package svc.embedded.kubernetes.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import svc.embedded.kubernetes.json.Json;

/**
 * All objects of the server, in memory and in the journal, with one growing version over all of them.
 *
 * <p>It knows nothing of kinds. Writes are compare-and-set on a whole object, so callers compute outside the lock and
 * try again when they lost. Listeners run under the lock, in commit order: they must not block.
 */
public final class ObjectStore implements AutoCloseable {
    private static final int HISTORY = 4096;
    private static final long HISTORY_BYTES = 16L << 20;
    // Clients may have seen versions that a power failure then removed from the journal; they are skipped, so
    // that no version ever means two states.
    private static final long RESTART_GAP = 1000;

    private final Journal journal;
    private final ReentrantLock lock = new ReentrantLock();
    private final NavigableMap<ObjectKey, StoredObject> objects = new TreeMap<>();
    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
    private final ChangeHistory history;
    private long version;

    /** A consistent view of a scope, and the version it was taken at. */
    public record Listing(long version, List<StoredObject> objects) {}

    /** A registered listener; closing it ends the calls. */
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    private ObjectStore(Journal journal, Journal.Recovered recovered) {
        this.journal = journal;
        recovered.objects().forEach(object -> objects.put(object.key(), object));
        this.version = recovered.version() + RESTART_GAP;
        this.history = new ChangeHistory(HISTORY, HISTORY_BYTES, version);
    }

    /** A store without a journal. */
    public static ObjectStore inMemory() {
        return new ObjectStore(new Journal.Forgetful(), new Journal.Recovered(List.of(), 0));
    }

    /** Opens the store of a folder with everything it had acknowledged.
     *
     * @throws IOException when the folder cannot be written or another process uses it */
    public static ObjectStore open(Path folder) throws IOException {
        FileJournal journal = new FileJournal(folder);
        try {
            return new ObjectStore(journal, journal.recover());
        } catch (IOException | RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /** Stores a new object; empty when there is one already. Returns once it is durable. */
    public Optional<StoredObject> create(ObjectKey key, ObjectNode body) {
        return commit(
                () -> objects.containsKey(key) ? Optional.empty() : Optional.of(put(key, body, Optional.empty())));
    }

    /** Replaces exactly this state; empty when it is no longer the current one. Returns once it is durable. */
    public Optional<StoredObject> replace(StoredObject expected, ObjectNode body) {
        return commit(() ->
                isCurrent(expected) ? Optional.of(put(expected.key(), body, Optional.of(expected))) : Optional.empty());
    }

    /** Removes exactly this state; empty when it is no longer the current one.
     *
     * @return the last state, {@code lastBody} under the version of the removal */
    public Optional<StoredObject> remove(StoredObject expected, ObjectNode lastBody) {
        return commit(() -> {
            if (!isCurrent(expected)) {
                return Optional.empty();
            }
            StoredObject last = stamped(expected.key(), lastBody);
            long position = journal.append(new Journal.Entry.Removal(expected.key(), version));
            objects.remove(expected.key());
            publish(new Change(Change.Type.DELETED, last, Optional.of(expected)));
            return Optional.of(new Committed(last, position));
        });
    }

    public Optional<StoredObject> get(ObjectKey key) {
        return locked(() -> Optional.ofNullable(objects.get(key)));
    }

    public Listing list(Scope scope) {
        return locked(() -> new Listing(version, collect(scope)));
    }

    public List<StoredObject> everything() {
        return locked(() -> List.copyOf(objects.values()));
    }

    /** Listens to every later change of any object. */
    public Subscription listen(Consumer<Change> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /**
     * Listens to a scope without a gap.
     *
     * @param after the version to continue from; empty to begin with an ADDED of everything there is
     * @param ready called with the version at which the replay ended, before any later change
     */
    public Subscription watch(Scope scope, Optional<Long> after, Consumer<Long> ready, Consumer<Change> listener) {
        return locked(() -> {
            if (after.isPresent()) {
                history.after(after.get(), version, scope).forEach(listener);
            } else {
                collect(scope)
                        .forEach(object -> listener.accept(new Change(Change.Type.ADDED, object, Optional.empty())));
            }
            ready.accept(version);
            return listen(change -> {
                if (scope.contains(change.object().key())) {
                    listener.accept(change);
                }
            });
        });
    }

    public long version() {
        return locked(() -> version);
    }

    @Override
    public void close() throws IOException {
        listeners.clear();
        journal.close();
    }

    private record Committed(StoredObject object, long position) {}

    private interface Write {
        Optional<Committed> run();
    }

    private interface Read<T> {
        T run();
    }

    private Optional<StoredObject> commit(Write write) {
        Optional<Committed> committed = locked(() -> {
            Optional<Committed> done = write.run();
            if (journal.oversized()) {
                journal.rewrite(objects.values(), version);
            }
            return done;
        });
        committed.ifPresent(done -> journal.awaitDurable(done.position()));
        return committed.map(Committed::object);
    }

    private <T> T locked(Read<T> read) {
        lock.lock();
        try {
            return read.run();
        } finally {
            lock.unlock();
        }
    }

    private Committed put(ObjectKey key, ObjectNode body, Optional<StoredObject> previous) {
        StoredObject object = stamped(key, body);
        long position = journal.append(new Journal.Entry.Put(object));
        objects.put(key, object);
        publish(new Change(previous.isPresent() ? Change.Type.MODIFIED : Change.Type.ADDED, object, previous));
        return new Committed(object, position);
    }

    private StoredObject stamped(ObjectKey key, ObjectNode body) {
        ObjectNode copy = body.deepCopy();
        Json.child(copy, "metadata").put("resourceVersion", Long.toString(++version));
        return new StoredObject(key, version, copy, Json.bytes(copy));
    }

    private void publish(Change change) {
        history.add(change);
        listeners.forEach(listener -> listener.accept(change));
    }

    private boolean isCurrent(StoredObject expected) {
        StoredObject current = objects.get(expected.key());
        return current != null && current.version() == expected.version();
    }

    private List<StoredObject> collect(Scope scope) {
        List<StoredObject> found = new ArrayList<>();
        for (StoredObject object : objects.tailMap(scope.first(), true).values()) {
            if (!object.key().group().equals(scope.group())
                    || !object.key().resource().equals(scope.resource())
                    || !scope.contains(object.key())) {
                break;
            }
            found.add(object);
        }
        return found;
    }
}
