package svc.database.key;

import java.util.Collection;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The master keys in use. New projects are made with the newest; a project keeps the version it was made with until it
 * is rotated, so an old version may be taken away only when no registry row names it.
 */
public final class MasterKeys {
    private final NavigableMap<Integer, MasterKey> byVersion;

    private MasterKeys(NavigableMap<Integer, MasterKey> byVersion) {
        this.byVersion = byVersion;
    }

    /** At least one key, each version once. */
    public static MasterKeys of(Collection<MasterKey> keys) {
        NavigableMap<Integer, MasterKey> byVersion = new TreeMap<>();
        for (MasterKey key : keys) {
            if (byVersion.put(key.version(), key) != null) {
                throw new IllegalArgumentException("master key version " + key.version() + " is given twice");
            }
        }
        if (byVersion.isEmpty()) {
            throw new IllegalArgumentException("no master key is given");
        }
        return new MasterKeys(byVersion);
    }

    public MasterKey newest() {
        return byVersion.lastEntry().getValue();
    }

    public Optional<MasterKey> version(int version) {
        return Optional.ofNullable(byVersion.get(version));
    }

    /** All of them, oldest first. */
    public Collection<MasterKey> all() {
        return byVersion.values();
    }

    @Override
    public String toString() {
        return "MasterKeys" + byVersion.keySet();
    }
}
