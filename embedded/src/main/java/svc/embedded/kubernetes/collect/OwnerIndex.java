package svc.embedded.kubernetes.collect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.store.ObjectKey;

/** Index of owner references: dependents by the uid of their owner. Used by one thread. */
final class OwnerIndex {
    private final Map<String, ObjectKey> byUid = new HashMap<>();
    private final Map<ObjectKey, Entry> entries = new HashMap<>();
    private final Map<String, Set<ObjectKey>> dependents = new HashMap<>();

    private record Entry(String uid, List<String> owners) {}

    /** The uids of an object's owners. */
    static List<String> owners(JsonNode object) {
        List<String> owners = new ArrayList<>();
        Meta.of(object)
                .path("ownerReferences")
                .forEach(owner -> owners.add(owner.path("uid").asText()));
        return owners;
    }

    void put(ObjectKey key, JsonNode object) {
        remove(key);
        Entry entry = new Entry(Meta.uid(object), owners(object));
        entries.put(key, entry);
        byUid.put(entry.uid(), key);
        entry.owners()
                .forEach(owner -> dependents
                        .computeIfAbsent(owner, uid -> new HashSet<>())
                        .add(key));
    }

    void remove(ObjectKey key) {
        Entry entry = entries.remove(key);
        if (entry == null) {
            return;
        }
        byUid.remove(entry.uid());
        for (String owner : entry.owners()) {
            Set<ObjectKey> keys = dependents.getOrDefault(owner, Set.of());
            keys.remove(key);
            if (keys.isEmpty()) {
                dependents.remove(owner);
            }
        }
    }

    Optional<ObjectKey> holder(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    List<ObjectKey> dependents(String uid) {
        return List.copyOf(dependents.getOrDefault(uid, Set.of()));
    }
}
