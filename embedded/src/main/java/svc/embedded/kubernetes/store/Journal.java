package svc.embedded.kubernetes.store;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/** The write-ahead log of the store. */
interface Journal extends AutoCloseable {
    /** An entry: the new state of an object, or its removal. */
    sealed interface Entry {
        record Put(StoredObject object) implements Entry {}

        record Removal(ObjectKey key, long version) implements Entry {}
    }

    /** Hands an entry to the operating system, so that a killed process loses nothing.
     *
     * @return the position to {@link #awaitDurable} */
    long append(Entry entry);

    /** Returns once everything up to {@code position} would outlive a power failure. */
    void awaitDurable(long position);

    /** Whether the journal has grown so far beyond what it describes that it should be rewritten. */
    boolean oversized();

    /** Replaces everything by these states. */
    void rewrite(Collection<StoredObject> objects, long version);

    @Override
    void close() throws IOException;

    /** What a journal held when it was opened. */
    record Recovered(List<StoredObject> objects, long version) {}

    /** Keeps nothing: for tests and throw-away servers. */
    final class Forgetful implements Journal {
        @Override
        public long append(Entry entry) {
            return 0;
        }

        @Override
        public void awaitDurable(long position) {}

        @Override
        public boolean oversized() {
            return false;
        }

        @Override
        public void rewrite(Collection<StoredObject> objects, long version) {}

        @Override
        public void close() {}
    }
}
