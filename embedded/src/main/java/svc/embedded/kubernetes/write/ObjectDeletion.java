package svc.embedded.kubernetes.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.store.ObjectKey;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.store.StoredObject;
import svc.embedded.kubernetes.type.ResourceType;

/** Deletes objects: at once, or, while a finalizer holds them, by marking them until the last one is gone. */
public final class ObjectDeletion {
    /** Held until the objects of a deleted CustomResourceDefinition are gone. */
    public static final String DEFINITION_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private final ObjectStore store;
    private final Clock clock;

    public ObjectDeletion(ObjectStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** What becomes of an object's dependents, and the finalizer that stands for it. */
    public enum Propagation {
        BACKGROUND(""),
        FOREGROUND("foregroundDeletion"),
        ORPHAN("orphan");

        private final String finalizer;

        Propagation(String finalizer) {
            this.finalizer = finalizer;
        }

        public String finalizer() {
            return finalizer;
        }

        /** Reads {@code propagationPolicy}; background when it is not said. */
        public static Propagation parse(String policy) {
            return switch (policy) {
                case "", "Background" -> BACKGROUND;
                case "Foreground" -> FOREGROUND;
                case "Orphan" -> ORPHAN;
                default -> throw ApiFailure.badRequest("unknown propagationPolicy: " + policy);
            };
        }
    }

    /**
     * What a deleter asks.
     *
     * @param uid only this incarnation, when given
     * @param resourceVersion only this state, when given
     */
    public record Request(
            Propagation propagation, Optional<String> uid, Optional<String> resourceVersion, boolean dryRun) {
        /** Whatever is there, its dependents after it. */
        public static final Request PLAIN =
                new Request(Propagation.BACKGROUND, Optional.empty(), Optional.empty(), false);
    }

    /** The last or the marked state. */
    public record Deleted(ObjectNode object, boolean gone) {}

    /** Deletes an object.
     *
     * @throws ApiFailure 404 without the object, 409 when a precondition does not hold */
    public Deleted delete(ResourceType type, ObjectKey key, Request request) {
        while (true) {
            StoredObject current = store.get(key).orElseThrow(() -> ApiFailure.notFound(type.subject(key.name())));
            checkPreconditions(type, current, request);
            ObjectNode marked = marked(type, current.body(), request.propagation());
            boolean goes = mayGo(marked);
            if (request.dryRun() || !goes && Meta.sameContent(marked, current.body())) {
                return new Deleted(current.body(), goes);
            }
            Optional<StoredObject> stored = goes ? store.remove(current, marked) : store.replace(current, marked);
            if (stored.isPresent()) {
                return new Deleted(stored.get().body(), goes);
            }
        }
    }

    /** Whether an object is marked for deletion and nothing holds it any more. */
    static boolean mayGo(ObjectNode object) {
        boolean namespaceHolds = object.path("kind").asText().equals("Namespace")
                && object.path("apiVersion").asText().equals("v1")
                && !object.path("spec").path("finalizers").isEmpty();
        return Meta.deleting(object) && Meta.finalizers(object).isEmpty() && !namespaceHolds;
    }

    private ObjectNode marked(ResourceType type, ObjectNode current, Propagation propagation) {
        ObjectNode next = current.deepCopy();
        ObjectNode meta = Json.child(next, "metadata");
        if (!propagation.finalizer().isEmpty()) {
            Meta.setFinalizer(next, propagation.finalizer(), true);
        }
        if (type.names().kind().equals("CustomResourceDefinition") && !Meta.deleting(current)) {
            Meta.setFinalizer(next, DEFINITION_FINALIZER, true);
        }
        if (!Meta.deleting(current)) {
            meta.put(
                    "deletionTimestamp",
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
            meta.put("deletionGracePeriodSeconds", 0);
            if (meta.has("generation")) {
                meta.put("generation", meta.path("generation").asInt() + 1);
            }
            if (next.path("kind").asText().equals("Namespace") && type.group().isEmpty()) {
                Json.child(next, "status").put("phase", "Terminating");
            }
        }
        return next;
    }

    private static void checkPreconditions(ResourceType type, StoredObject current, Request request) {
        String name = current.key().name();
        request.uid().filter(uid -> !uid.equals(Meta.uid(current.body()))).ifPresent(uid -> {
            throw ApiFailure.conflict(
                    type.subject(name),
                    "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                            .formatted(uid, Meta.uid(current.body())));
        });
        request.resourceVersion()
                .filter(version -> !version.equals(Meta.resourceVersion(current.body())))
                .ifPresent(version -> {
                    throw ApiFailure.staleVersion(type.subject(name));
                });
    }
}
