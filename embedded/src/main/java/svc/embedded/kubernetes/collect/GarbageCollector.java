package svc.embedded.kubernetes.collect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.store.Change;
import svc.embedded.kubernetes.store.ObjectKey;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.store.StoredObject;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.type.ResourceType;
import svc.embedded.kubernetes.type.Served;
import svc.embedded.kubernetes.write.ObjectDeletion;
import svc.embedded.kubernetes.write.ObjectDeletion.Propagation;
import svc.embedded.kubernetes.write.ObjectWrites;
import svc.embedded.kubernetes.write.Part;
import svc.embedded.kubernetes.write.WriteOptions;

/**
 * Garbage collection, on one thread, in the order of the changes: deletes dependents whose owners are gone
 * (an owner of another uid is another owner), the contents of a deleted namespace, the objects of a deleted definition.
 *
 * <p>It acts on what the store holds when it looks, never on the change that woke it, so a change seen twice or late
 * does no harm; at the start it checks every object once.
 */
public final class GarbageCollector implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(GarbageCollector.class.getName());
    private static final WriteOptions OPTIONS = WriteOptions.ofServer("garbage-collector");

    private final ObjectStore store;
    private final ResourceCatalog catalog;
    private final ObjectWrites writes;
    private final ObjectDeletion deletion;
    private final OwnerIndex index = new OwnerIndex();
    private final BlockingQueue<Optional<Change>> changes = new LinkedBlockingQueue<>();
    private final ObjectStore.Subscription subscription;
    private final Thread thread;

    public GarbageCollector(ObjectStore store, ResourceCatalog catalog, ObjectWrites writes, ObjectDeletion deletion) {
        this.store = store;
        this.catalog = catalog;
        this.writes = writes;
        this.deletion = deletion;
        this.subscription = store.listen(change -> changes.add(Optional.of(change)));
        this.thread = Thread.ofVirtual().name("kubernetes-garbage-collector").start(this::run);
    }

    @Override
    public void close() {
        subscription.close();
        // No interrupt, which could hit it in the middle of a write.
        changes.add(Optional.empty());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        List<StoredObject> present = store.everything();
        present.forEach(object -> index.put(object.key(), object.body()));
        present.forEach(object -> guarded(object, () -> settle(object)));
        try {
            for (Optional<Change> next = changes.take(); next.isPresent(); next = changes.take()) {
                Change change = next.get();
                guarded(change.object(), () -> follow(change));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void guarded(StoredObject object, Runnable work) {
        try {
            work.run();
        } catch (ApiFailure e) {
            LOG.log(System.Logger.Level.DEBUG, "nothing left to collect at " + object.key(), e);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "while collecting garbage around " + object.key(), e);
        }
    }

    private void follow(Change change) {
        StoredObject object = change.object();
        if (change.type() != Change.Type.DELETED) {
            index.put(object.key(), object.body());
            settle(object);
            return;
        }
        index.remove(object.key());
        dependents(object).forEach(this::settle);
        for (String owner : OwnerIndex.owners(object.body())) {
            index.holder(owner).flatMap(store::get).ifPresent(this::settle);
        }
        containers(object.key()).forEach(this::settle);
    }

    /** The namespace and the definition that may have waited for this object. */
    private List<StoredObject> containers(ObjectKey key) {
        return List.of(
                        new ObjectKey("", "namespaces", "", key.namespace()),
                        new ObjectKey(
                                ResourceCatalog.DEFINITIONS.group(),
                                ResourceCatalog.DEFINITIONS.resource(),
                                "",
                                key.resource() + "." + key.group()))
                .stream()
                .flatMap(container -> store.get(container).stream())
                .filter(container -> Meta.deleting(container.body()))
                .toList();
    }

    private void settle(StoredObject seen) {
        Optional<StoredObject> current = store.get(seen.key());
        Optional<ResourceType> type =
                catalog.findStored(seen.key().group(), seen.key().resource());
        if (current.isEmpty() || type.isEmpty()) {
            return;
        }
        StoredObject object = current.get();
        if (Meta.deleting(object.body())) {
            continueDeletion(type.get(), object);
        } else if (abandoned(object)) {
            deletion.delete(type.get(), object.key(), plain(object));
        }
    }

    private void continueDeletion(ResourceType type, StoredObject object) {
        List<String> finalizers = Meta.finalizers(object.body());
        if (type.names().kind().equals("Namespace") && type.group().isEmpty()) {
            emptyNamespace(type, object);
        } else if (finalizers.contains(ObjectDeletion.DEFINITION_FINALIZER)) {
            emptyDefinition(type, object);
        }
        if (finalizers.contains(Propagation.ORPHAN.finalizer())) {
            dependents(object).forEach(dependent -> disown(dependent, Meta.uid(object.body())));
            release(type, object, Propagation.ORPHAN.finalizer());
        }
        if (finalizers.contains(Propagation.FOREGROUND.finalizer())) {
            List<StoredObject> dependents = dependents(object);
            dependents.forEach(this::deleteInForeground);
            if (dependents.stream().noneMatch(dependent -> blocks(dependent, Meta.uid(object.body())))) {
                release(type, object, Propagation.FOREGROUND.finalizer());
            }
        }
    }

    private void emptyNamespace(ResourceType type, StoredObject namespace) {
        List<StoredObject> contents = store.everything().stream()
                .filter(object ->
                        object.key().namespace().equals(namespace.key().name()))
                .toList();
        contents.forEach(this::deleteUnlessMarked);
        if (contents.isEmpty()) {
            change(type, namespace, object -> Json.child(object, "spec").remove("finalizers"));
        }
    }

    private void emptyDefinition(ResourceType type, StoredObject definition) {
        JsonNode spec = definition.body().path("spec");
        List<StoredObject> objects = store.everything().stream()
                .filter(object -> object.key().group().equals(spec.path("group").asText())
                        && object.key()
                                .resource()
                                .equals(spec.path("names").path("plural").asText()))
                .toList();
        objects.forEach(this::deleteUnlessMarked);
        if (objects.isEmpty()) {
            release(type, definition, ObjectDeletion.DEFINITION_FINALIZER);
        }
    }

    private void deleteUnlessMarked(StoredObject object) {
        if (!Meta.deleting(object.body())) {
            catalog.findStored(object.key().group(), object.key().resource())
                    .ifPresent(type -> guarded(object, () -> deletion.delete(type, object.key(), plain(object))));
        }
    }

    private void deleteInForeground(StoredObject dependent) {
        if (!Meta.deleting(dependent.body())) {
            ObjectDeletion.Request request = new ObjectDeletion.Request(
                    Propagation.FOREGROUND, Optional.of(Meta.uid(dependent.body())), Optional.empty(), false);
            catalog.findStored(dependent.key().group(), dependent.key().resource())
                    .ifPresent(type -> guarded(dependent, () -> deletion.delete(type, dependent.key(), request)));
        }
    }

    /** Whether an object has owners and none of them exists any more. */
    private boolean abandoned(StoredObject object) {
        JsonNode references = Meta.of(object.body()).path("ownerReferences");
        return !references.isEmpty()
                && references
                        .valueStream()
                        .noneMatch(reference -> exists(reference, object.key().namespace()));
    }

    // An owner of a kind that is not served may exist: nothing is collected on a guess.
    private boolean exists(JsonNode reference, String namespace) {
        return catalog.findKind(
                        reference.path("apiVersion").asText(),
                        reference.path("kind").asText())
                .map(type -> store.get(
                                type.key(namespace, reference.path("name").asText()))
                        .map(owner -> Meta.uid(owner.body())
                                .equals(reference.path("uid").asText()))
                        .orElse(false))
                .orElse(true);
    }

    private static boolean blocks(StoredObject dependent, String owner) {
        for (JsonNode reference : Meta.of(dependent.body()).path("ownerReferences")) {
            if (reference.path("uid").asText().equals(owner)) {
                return reference.path("blockOwnerDeletion").asBoolean();
            }
        }
        return false;
    }

    private List<StoredObject> dependents(StoredObject owner) {
        return index.dependents(Meta.uid(owner.body())).stream()
                .flatMap(key -> store.get(key).stream())
                .toList();
    }

    private void disown(StoredObject dependent, String owner) {
        catalog.findStored(dependent.key().group(), dependent.key().resource())
                .ifPresent(type -> change(type, dependent, object -> {
                    ArrayNode left = Json.array();
                    Meta.of(object).path("ownerReferences").forEach(reference -> {
                        if (!reference.path("uid").asText().equals(owner)) {
                            left.add(reference);
                        }
                    });
                    Json.child(object, "metadata").set("ownerReferences", left);
                }));
    }

    private void release(ResourceType type, StoredObject object, String finalizer) {
        change(type, object, released -> Meta.setFinalizer(released, finalizer, false));
    }

    private interface Edit {
        void apply(ObjectNode object);
    }

    private void change(ResourceType type, StoredObject object, Edit edit) {
        Served served = new Served(type, type.versions().getFirst());
        writes.update(
                served,
                object.key(),
                Part.OBJECT,
                current -> {
                    ObjectNode edited = current.deepCopy();
                    edit.apply(edited);
                    return edited;
                },
                OPTIONS);
    }

    private static ObjectDeletion.Request plain(StoredObject object) {
        return new ObjectDeletion.Request(
                Propagation.BACKGROUND, Optional.of(Meta.uid(object.body())), Optional.empty(), false);
    }
}
