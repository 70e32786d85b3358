package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.patch.PatchFormat;
import svc.embedded.kubernetes.selector.FieldSelector;
import svc.embedded.kubernetes.selector.LabelSelector;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.store.StoredObject;
import svc.embedded.kubernetes.type.Served;
import svc.embedded.kubernetes.write.ObjectDeletion;
import svc.embedded.kubernetes.write.ObjectWrites;
import svc.embedded.kubernetes.write.Part;
import svc.embedded.kubernetes.write.UnknownFields;
import svc.embedded.kubernetes.write.WriteOptions;
import svc.embedded.kubernetes.write.Written;

/** The verbs on objects and collections. Lists are not paged: {@code limit} and {@code continue} are ignored. */
final class ResourceEndpoint {
    private static final long WATCH_SECONDS = 3600;

    private final ObjectStore store;
    private final ObjectWrites writes;
    private final ObjectDeletion deletion;

    ResourceEndpoint(ObjectStore store, ObjectWrites writes, ObjectDeletion deletion) {
        this.store = store;
        this.writes = writes;
        this.deletion = deletion;
    }

    Answer collection(ResourcePath path, ApiRequest request) {
        return switch (request.method()) {
            case "GET" -> request.flag("watch") ? watch(path, request) : list(path, request);
            case "POST" -> create(path, request);
            case "DELETE" -> deleteAll(path, request);
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    Answer object(ResourcePath path, ApiRequest request, Part part) {
        if (part == Part.STATUS && !path.served().version().status()) {
            throw ApiFailure.noSuchPath();
        }
        return switch (request.method()) {
            case "GET" -> request.flag("watch") ? watch(path, request) : get(path, request);
            case "PUT" -> replace(path, request, part);
            case "PATCH" -> patch(path, request, part);
            case "DELETE" -> {
                if (part == Part.STATUS) {
                    throw ApiFailure.methodNotAllowed();
                }
                yield delete(path, request);
            }
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    private Answer get(ResourcePath path, ApiRequest request) {
        StoredObject found = store.get(path.key()).orElseThrow(() -> ApiFailure.notFound(path.subject()));
        return document(200, Rendering.of(path.served(), request).bytes(found), List.of());
    }

    private Answer list(ResourcePath path, ApiRequest request) {
        Predicate<JsonNode> selected = selection(path, request);
        ObjectStore.Listing listing = store.list(path.served().type().scope(path.namespace()));
        List<StoredObject> objects = listing.objects().stream()
                .filter(object -> selected.test(path.served().show(object.body())))
                .toList();
        return document(200, Rendering.of(path.served(), request).list(listing.version(), objects), List.of());
    }

    private Answer watch(ResourcePath path, ApiRequest request) {
        Optional<Long> version = request.number("resourceVersion").filter(number -> number != 0);
        boolean initial = request.flag("sendInitialEvents");
        return new Answer.Watch(new WatchRequest(
                path.served().type().scope(path.namespace()),
                Rendering.of(path.served(), request),
                initial ? Optional.empty() : version,
                selection(path, request),
                request.flag("allowWatchBookmarks"),
                initial,
                request.number("timeoutSeconds").filter(seconds -> seconds > 0).orElse(WATCH_SECONDS)));
    }

    private static Predicate<JsonNode> selection(ResourcePath path, ApiRequest request) {
        Predicate<JsonNode> selected = LabelSelector.parse(request.parameter("labelSelector"))
                .and(FieldSelector.parse(request.parameter("fieldSelector")));
        return path.name()
                .<Predicate<JsonNode>>map(name -> object -> Meta.name(object).equals(name))
                .map(named -> named.and(selected))
                .orElse(selected);
    }

    private Answer create(ResourcePath path, ApiRequest request) {
        if (path.served().type().namespaced() && path.namespace().isEmpty()) {
            throw custom(path) ? ApiFailure.noSuchPath() : ApiFailure.methodNotAllowed();
        }
        Written written = writes.create(path.served(), path.namespace().orElse(""), request.object(), options(request));
        return answer(path, request, written);
    }

    /** Custom resources have a schema; built-in ones have rules of their own. */
    private static boolean custom(ResourcePath path) {
        return !path.served().version().schema().isMissingNode();
    }

    private Answer replace(ResourcePath path, ApiRequest request, Part part) {
        ObjectNode sent = request.object();
        return answer(path, request, writes.update(path.served(), path.key(), part, current -> sent, options(request)));
    }

    private Answer patch(ResourcePath path, ApiRequest request, Part part) {
        PatchFormat format = PatchFormat.of(request.contentType());
        WriteOptions options = options(request);
        if (format == PatchFormat.APPLY) {
            if (request.parameter("fieldManager").isEmpty()) {
                throw ApiFailure.invalid(
                        new ApiFailure.Subject("meta.k8s.io", "", "PatchOptions", ""),
                        List.of(new ApiFailure.Cause(
                                "FieldValueRequired", "Required value: is required for apply patch", "fieldManager")));
            }
            return answer(path, request, writes.apply(path.served(), path.key(), part, request.parsed(), options));
        }
        JsonNode patch = request.tree();
        Served served = path.served();
        if (format == PatchFormat.STRATEGIC && custom(path)) {
            throw ApiFailure.unsupportedMediaType(
                    request.contentType(),
                    List.of(
                            "application/json-patch+json",
                            "application/merge-patch+json",
                            "application/apply-patch+yaml"));
        }
        Written written = writes.update(
                served,
                path.key(),
                part,
                current -> format.patch(current, patch, served.version().merge(), path.subject()),
                options);
        return answer(path, request, written);
    }

    private Answer delete(ResourcePath path, ApiRequest request) {
        ObjectDeletion.Deleted deleted = deletion.delete(path.served().type(), path.key(), deletionRequest(request));
        return Answer.json(
                200,
                deleted.gone() ? success(path, deleted.object()) : path.served().show(deleted.object()));
    }

    private Answer deleteAll(ResourcePath path, ApiRequest request) {
        Predicate<JsonNode> selected = selection(path, request);
        ObjectStore.Listing listing = store.list(path.served().type().scope(path.namespace()));
        List<StoredObject> objects = listing.objects().stream()
                .filter(object -> selected.test(path.served().show(object.body())))
                .toList();
        ObjectDeletion.Request wanted = deletionRequest(request);
        for (StoredObject object : objects) {
            try {
                deletion.delete(path.served().type(), object.key(), wanted);
            } catch (ApiFailure e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
        return document(200, Rendering.of(path.served(), request).list(listing.version(), objects), List.of());
    }

    private static ObjectDeletion.Request deletionRequest(ApiRequest request) {
        ObjectNode options = request.body().length == 0 ? Json.object() : request.parsed();
        JsonNode preconditions = options.path("preconditions");
        String policy = options.path("propagationPolicy").asText(request.parameter("propagationPolicy"));
        // What older clients send in place of a propagation policy.
        if (policy.isEmpty() && options.path("orphanDependents").asBoolean()) {
            policy = "Orphan";
        }
        return new ObjectDeletion.Request(
                ObjectDeletion.Propagation.parse(policy),
                Optional.of(preconditions.path("uid").asText("")).filter(uid -> !uid.isEmpty()),
                Optional.of(preconditions.path("resourceVersion").asText("")).filter(version -> !version.isEmpty()),
                request.flag("dryRun") || !options.path("dryRun").isEmpty());
    }

    private static ObjectNode success(ResourcePath path, ObjectNode object) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        ObjectNode details = status.put("status", "Success").putObject("details");
        details.put("name", Meta.name(object));
        if (!path.served().type().group().isEmpty()) {
            details.put("group", path.served().type().group());
        }
        details.put("kind", path.served().type().names().plural()).put("uid", Meta.uid(object));
        return status;
    }

    /** What a writer asks besides the object. */
    static WriteOptions options(ApiRequest request) {
        String manager = request.parameter("fieldManager");
        String agent = request.userAgent();
        String byAgent = agent.isEmpty() ? "unknown" : agent.split("/", 2)[0];
        return new WriteOptions(
                manager.isEmpty() ? byAgent : manager,
                request.flag("force"),
                request.flag("dryRun"),
                UnknownFields.parse(request.parameter("fieldValidation")));
    }

    private static Answer answer(ResourcePath path, ApiRequest request, Written written) {
        Rendering rendering = Rendering.of(path.served(), request);
        return Answer.json(written.created() ? 201 : 200, rendering.object(written.object()), written.warnings());
    }

    private static Answer document(int code, byte[] body, List<String> warnings) {
        return new Answer.Document(code, "application/json", body, warnings);
    }
}
