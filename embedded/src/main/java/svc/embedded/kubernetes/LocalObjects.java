package svc.embedded.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.store.Change;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.store.StoredObject;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.type.Served;
import svc.embedded.kubernetes.write.ObjectDeletion;
import svc.embedded.kubernetes.write.ObjectWrites;
import svc.embedded.kubernetes.write.Part;
import svc.embedded.kubernetes.write.WriteOptions;

/**
 * The objects of one resource for a controller in this process: a client without a connection. Returned
 * trees are shared and must not be changed.
 */
public final class LocalObjects {
    private final ObjectStore store;
    private final ObjectWrites writes;
    private final ObjectDeletion deletion;
    private final Served served;
    private final WriteOptions options;

    private LocalObjects(
            ObjectStore store, ObjectWrites writes, ObjectDeletion deletion, Served served, WriteOptions options) {
        this.store = store;
        this.writes = writes;
        this.deletion = deletion;
        this.served = served;
        this.options = options;
    }

    static LocalObjects of(
            ObjectStore store,
            ResourceCatalog catalog,
            ObjectWrites writes,
            ObjectDeletion deletion,
            String apiVersion,
            String plural,
            String manager) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        Served served = catalog.find(group, apiVersion.substring(slash + 1), plural)
                .orElseThrow(() -> new IllegalArgumentException("no resource " + apiVersion + " " + plural));
        return new LocalObjects(store, writes, deletion, served, WriteOptions.ofServer(manager));
    }

    public Optional<ObjectNode> find(String namespace, String name) {
        return store.get(served.type().key(namespace, name)).map(StoredObject::body);
    }

    public List<ObjectNode> all() {
        return store.list(served.type().scope(Optional.empty())).objects().stream()
                .map(StoredObject::body)
                .toList();
    }

    /** Calls the listener with every existing object, then with every change, in order. The listener must not block. */
    public ObjectStore.Subscription watch(Consumer<Change> listener) {
        return store.watch(served.type().scope(Optional.empty()), Optional.empty(), version -> {}, listener);
    }

    /** Creates or replaces an object, except its status. */
    public void put(ObjectNode object) {
        String namespace = Meta.namespace(object);
        String name = Meta.name(object);
        while (true) {
            if (find(namespace, name).isPresent()) {
                if (change(namespace, name, Part.OBJECT, current -> object)) {
                    return;
                }
            } else {
                try {
                    writes.create(served, namespace, object, options);
                    return;
                } catch (ApiFailure e) {
                    if (!e.reason().equals("AlreadyExists")) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Replaces the status of an object; false when the object does not exist. */
    public boolean putStatus(String namespace, String name, UnaryOperator<ObjectNode> status) {
        return change(namespace, name, Part.STATUS, current -> {
            ObjectNode next = current.deepCopy();
            next.set(
                    "status",
                    status.apply(
                            current.get("status") instanceof ObjectNode known ? known.deepCopy() : next.objectNode()));
            return next;
        });
    }

    /** Deletes an object if it exists. */
    public void delete(String namespace, String name) {
        try {
            deletion.delete(served.type(), served.type().key(namespace, name), ObjectDeletion.Request.PLAIN);
        } catch (ApiFailure e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }

    private boolean change(String namespace, String name, Part part, UnaryOperator<ObjectNode> change) {
        try {
            writes.update(served, served.type().key(namespace, name), part, change, options);
            return true;
        } catch (ApiFailure e) {
            if (e.code() == 404) {
                return false;
            }
            throw e;
        }
    }
}
