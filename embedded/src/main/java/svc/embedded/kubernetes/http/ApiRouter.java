package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import svc.embedded.kubernetes.discovery.DiscoveryDocuments;
import svc.embedded.kubernetes.discovery.OpenApiDocuments;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.write.Part;

/** Routes a request to its endpoint, and turns every failure into the Status document that clients expect. */
final class ApiRouter {
    private static final System.Logger LOG = System.getLogger(ApiRouter.class.getName());
    private static final Set<String> OPEN = Set.of("version", "healthz", "livez", "readyz");

    private final ResourceCatalog catalog;
    private final ResourceEndpoint resources;
    private final ScaleEndpoint scale;
    private final LogEndpoint logs;
    private final DiscoveryDocuments discovery;
    private final OpenApiDocuments openApi;
    private final BearerToken token;

    ApiRouter(
            ResourceCatalog catalog,
            ResourceEndpoint resources,
            ScaleEndpoint scale,
            LogEndpoint logs,
            BearerToken token) {
        this.catalog = catalog;
        this.resources = resources;
        this.scale = scale;
        this.logs = logs;
        this.discovery = new DiscoveryDocuments(catalog);
        this.openApi = new OpenApiDocuments(catalog);
        this.token = token;
    }

    /** Answers a request; never throws.
     *
     * @param authorization the header of that name, empty without one */
    Answer answer(ApiRequest request, String authorization) {
        try {
            boolean open =
                    !request.path().isEmpty() && OPEN.contains(request.path().getFirst());
            if (!open && !token.admits(authorization)) {
                throw ApiFailure.unauthorized();
            }
            return route(request);
        } catch (ApiFailure failure) {
            return Answer.failure(failure);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "while answering " + request.method() + " " + request.path(), e);
            return Answer.failure(ApiFailure.internal(String.valueOf(e.getMessage())));
        }
    }

    private Answer route(ApiRequest request) {
        List<String> path = request.path();
        String root = path.isEmpty() ? "" : path.getFirst();
        return switch (root) {
            case "healthz", "livez", "readyz" ->
                new Answer.Document(200, "text/plain", "ok".getBytes(StandardCharsets.UTF_8), List.of());
            case "version" -> document(request, discovery.version());
            case "api" -> api(path, request);
            case "apis" -> apis(path, request);
            case "openapi" -> openApi(path, request);
            default -> throw ApiFailure.noSuchPath();
        };
    }

    private Answer api(List<String> path, ApiRequest request) {
        if (path.size() == 1) {
            return document(request, discovery.coreVersions());
        }
        if (path.size() == 2) {
            return document(request, discovery.resources("", path.get(1)));
        }
        return resource(request);
    }

    private Answer apis(List<String> path, ApiRequest request) {
        return switch (path.size()) {
            case 1 -> document(request, discovery.groups());
            case 2 -> document(request, discovery.group(path.get(1)));
            case 3 -> document(request, discovery.resources(path.get(1), path.get(2)));
            default -> review(path, request);
        };
    }

    // The token is the only user and may do everything: there is no authorization.
    private Answer review(List<String> path, ApiRequest request) {
        String asked = path.get(1).equals("authorization.k8s.io") ? path.getLast() : "";
        return switch (asked) {
            case "selfsubjectaccessreviews" -> {
                ObjectNode review = request.object();
                Json.child(review, "status").put("allowed", true);
                yield Answer.json(201, review);
            }
            case "selfsubjectrulesreviews" -> {
                ObjectNode review = request.object();
                everything(Json.child(review, "status"));
                yield Answer.json(201, review);
            }
            default -> resource(request);
        };
    }

    private static void everything(ObjectNode status) {
        status.put("incomplete", false);
        ObjectNode resources = status.putArray("resourceRules").addObject();
        for (String field : List.of("verbs", "apiGroups", "resources")) {
            resources.putArray(field).add("*");
        }
        ObjectNode paths = status.putArray("nonResourceRules").addObject();
        for (String field : List.of("verbs", "nonResourceURLs")) {
            paths.putArray(field).add("*");
        }
    }

    private Answer openApi(List<String> path, ApiRequest request) {
        if (path.equals(List.of("openapi", "v2"))) {
            return request.accept().contains("proto-openapi.spec.v2")
                    ? new Answer.Document(200, OpenApiDocuments.V2_PROTOBUF, openApi.version2Protobuf(), List.of())
                    : document(request, openApi.version2());
        }
        if (path.size() < 2 || !path.get(1).equals("v3")) {
            throw ApiFailure.noSuchPath();
        }
        if (path.size() == 2) {
            return document(request, openApi.index());
        }
        return document(request, openApi.groupVersion(String.join("/", path.subList(2, path.size()))));
    }

    private Answer resource(ApiRequest request) {
        ResourcePath path = ResourcePath.parse(request.path(), catalog);
        if (path.name().isEmpty()) {
            return resources.collection(path, request);
        }
        return switch (path.subresource()) {
            case "", "finalize" -> resources.object(path, request, Part.OBJECT);
            case "status" -> resources.object(path, request, Part.STATUS);
            case "scale" -> scale.answer(path, request, ResourceEndpoint.options(request));
            case "log" -> logs.read(path, request);
            default -> throw ApiFailure.noSuchPath();
        };
    }

    private static Answer document(ApiRequest request, ObjectNode document) {
        if (!request.method().equals("GET")) {
            throw ApiFailure.methodNotAllowed();
        }
        return Answer.json(200, document);
    }
}
