package svc.embedded.kubernetes.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.ownership.FieldOwnership;
import svc.embedded.kubernetes.store.ObjectKey;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.store.StoredObject;
import svc.embedded.kubernetes.type.Served;

/**
 * Creates and changes objects: prepares the next state outside the store's lock and tries again when another writer
 * was faster, unless the writer named the version it meant.
 */
public final class ObjectWrites {
    private static final ObjectKey NO_NAMESPACE = new ObjectKey("", "namespaces", "", "");
    private static final int NAME_ATTEMPTS = 8;

    private final ObjectStore store;
    private final Clock clock;

    public ObjectWrites(ObjectStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Creates an object.
     *
     * @param namespace the namespace of the request, empty for a cluster-scoped resource
     * @throws ApiFailure 409 when it exists, 404 without its namespace, 400 and 422 when it may not be stored */
    public Written create(Served served, String namespace, ObjectNode sent, WriteOptions options) {
        ObjectNode object = placed(served, namespace, sent);
        if (!Meta.resourceVersion(object).isEmpty()) {
            throw ApiFailure.badRequest("resourceVersion should not be set on objects to be created");
        }
        String base = Meta.of(object).path("generateName").asText("");
        if (!Meta.name(object).isEmpty() || base.isEmpty()) {
            return insert(served, object, options, true).orElseThrow(() -> alreadyExists(served, object));
        }
        for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
            Json.child(object, "metadata").put("name", ObjectNames.generate(base));
            Optional<Written> written = insert(served, object, options, true);
            if (written.isPresent()) {
                return written.get();
            }
        }
        throw alreadyExists(served, object);
    }

    /** Changes an object.
     *
     * @param change from the current object, in the version served, to the proposed one
     * @throws ApiFailure 404 without the object, 409 for a stale version, 400 and 422 when it may not be stored */
    public Written update(
            Served served, ObjectKey key, Part part, UnaryOperator<ObjectNode> change, WriteOptions options) {
        Preparation preparation = new Preparation(served, part, options);
        return untilStored(
                served,
                key,
                current -> {
                    ObjectNode proposed = change.apply(served.show(current.body()));
                    Preparation.Prepared prepared = preparation.update(
                            current.body(), served.version().view().toStored(checked(served, key, proposed)));
                    ownership(served, part, options).recordUpdate(current.body(), prepared.object());
                    return prepared;
                },
                options);
    }

    /** Applies a configuration on behalf of a field manager; creates the object when there is none.
     *
     * @throws ApiFailure 409 when another manager owns a field whose value would change and force is not set */
    public Written apply(Served served, ObjectKey key, Part part, ObjectNode sent, WriteOptions options) {
        ObjectNode placed = placed(served, key.namespace(), checked(served, key, sent));
        ObjectNode configuration = ApplyConfiguration.of(placed, served, part);
        Optional<StoredObject> live = store.get(key);
        if (live.isEmpty() && part == Part.OBJECT) {
            if (!Meta.uid(placed).isEmpty() || !Meta.resourceVersion(placed).isEmpty()) {
                throw ApiFailure.conflict(served.subject(key.name()), "uid mismatch: the object does not exist");
            }
            ObjectNode skeleton = Json.object();
            skeleton.put("apiVersion", served.apiVersion())
                    .put("kind", served.type().names().kind());
            ObjectNode merged = ownership(served, part, options)
                    .apply(skeleton, configuration)
                    .object();
            Optional<Written> created = insert(served, merged, options, false);
            if (created.isPresent()) {
                return created.get();
            }
        }
        Preparation preparation = new Preparation(served, part, options);
        return untilStored(
                served,
                key,
                current -> {
                    String version = Meta.resourceVersion(placed);
                    if (!version.isEmpty() && !version.equals(Meta.resourceVersion(current.body()))) {
                        throw ApiFailure.staleVersion(served.subject(key.name()));
                    }
                    FieldOwnership.Applied applied =
                            ownership(served, part, options).apply(served.show(current.body()), configuration);
                    if (!applied.conflicts().isEmpty() && !options.force()) {
                        throw ApplyConfiguration.collision(served, key.name(), applied.conflicts());
                    }
                    return preparation.update(
                            current.body(), served.version().view().toStored(applied.object()));
                },
                options);
    }

    private interface NextState {
        Preparation.Prepared of(StoredObject current);
    }

    private Written untilStored(Served served, ObjectKey key, NextState nextState, WriteOptions options) {
        while (true) {
            StoredObject current = store.get(key).orElseThrow(() -> ApiFailure.notFound(served.subject(key.name())));
            Preparation.Prepared next = nextState.of(current);
            if (Meta.sameContent(current.body(), next.object())) {
                return new Written(current.body(), false, next.warnings());
            }
            if (options.dryRun()) {
                return new Written(next.object(), false, next.warnings());
            }
            Optional<StoredObject> stored = ObjectDeletion.mayGo(next.object())
                    ? store.remove(current, next.object())
                    : store.replace(current, next.object());
            if (stored.isPresent()) {
                return new Written(stored.get().body(), false, next.warnings());
            }
        }
    }

    private Optional<Written> insert(Served served, ObjectNode object, WriteOptions options, boolean recordsUpdate) {
        String name = Meta.name(object);
        ObjectNames.check(served.type(), name);
        ObjectKey key = served.type().key(Meta.namespace(object), name);
        checkNamespace(served, key);
        if (store.get(key).isPresent()) {
            return Optional.empty();
        }
        Preparation.Prepared prepared = new Preparation(served, Part.OBJECT, options)
                .create(
                        served.version().view().toStored(object),
                        UUID.randomUUID().toString(),
                        now().toString());
        if (recordsUpdate) {
            ownership(served, Part.OBJECT, options).recordUpdate(Json.object(), prepared.object());
        }
        if (options.dryRun()) {
            return Optional.of(new Written(prepared.object(), true, prepared.warnings()));
        }
        return store.create(key, prepared.object())
                .map(stored -> new Written(stored.body(), true, prepared.warnings()));
    }

    private void checkNamespace(Served served, ObjectKey key) {
        if (!served.type().namespaced()) {
            return;
        }
        ObjectKey namespace = new ObjectKey("", NO_NAMESPACE.resource(), "", key.namespace());
        StoredObject found = store.get(namespace)
                .orElseThrow(() ->
                        ApiFailure.notFound(new ApiFailure.Subject("", "namespaces", "Namespace", key.namespace())));
        if (Meta.deleting(found.body())) {
            throw ApiFailure.forbidden(
                    served.subject(key.name()),
                    "unable to create new content in namespace %s because it is being terminated"
                            .formatted(key.namespace()));
        }
    }

    private FieldOwnership ownership(Served served, Part part, WriteOptions options) {
        return new FieldOwnership(
                options.manager(),
                served.apiVersion(),
                part.subresource(),
                served.version().merge(),
                clock.instant());
    }

    /** A copy in the namespace of the request, of the kind of the request. */
    private static ObjectNode placed(Served served, String namespace, ObjectNode sent) {
        ObjectNode object = checkedKind(served, sent).deepCopy();
        ObjectNode meta = Json.child(object, "metadata");
        if (!served.type().namespaced()) {
            meta.remove("namespace");
            return object;
        }
        String said = Meta.namespace(object);
        if (!said.isEmpty() && !said.equals(namespace)) {
            throw ApiFailure.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        meta.put("namespace", namespace);
        return object;
    }

    private static ObjectNode checked(Served served, ObjectKey key, ObjectNode object) {
        String name = Meta.name(checkedKind(served, object));
        if (!name.isEmpty() && !name.equals(key.name())) {
            throw ApiFailure.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)".formatted(name, key.name()));
        }
        if (!name.isEmpty()) {
            return object;
        }
        ObjectNode named = object.deepCopy();
        Json.child(named, "metadata").put("name", key.name());
        return named;
    }

    private static ObjectNode checkedKind(Served served, ObjectNode object) {
        String apiVersion = object.path("apiVersion").asText("");
        String kind = object.path("kind").asText("");
        List<String> expected =
                List.of(served.apiVersion(), served.type().names().kind());
        if (apiVersion.isEmpty() && kind.isEmpty()) {
            return object.deepCopy().put("apiVersion", expected.getFirst()).put("kind", expected.getLast());
        }
        if (!apiVersion.equals(expected.getFirst())) {
            throw ApiFailure.badRequest("the API version in the data (%s) does not match the expected API version (%s)"
                    .formatted(apiVersion, expected.getFirst()));
        }
        if (!kind.equals(expected.getLast())) {
            throw ApiFailure.badRequest("the kind in the data (%s) does not match the expected kind (%s)"
                    .formatted(kind, expected.getLast()));
        }
        return object;
    }

    private static ApiFailure alreadyExists(Served served, ObjectNode object) {
        return ApiFailure.alreadyExists(served.subject(Meta.name(object)));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
