package svc.rest;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import svc.crds.project.service.OpenApiMode;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.RestSettings;

/**
 * The function of the project that answers the root in place of the OpenAPI document: PostgREST's {@code db-root-spec}. A
 * request for it is one for the function, with the schema that it names by its profile. Batches are posted to the root
 * nevertheless.
 */
final class RootFunction {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "OPTIONS");

    private RootFunction() {}

    /** The path of the resource that a request is for. */
    static String path(DataPlaneRequest request) {
        RestSettings settings = request.tenant().rest();
        boolean isRoot = request.path().length() <= 1;
        if (!isRoot
                || settings.openapiMode() == OpenApiMode.DISABLED
                || !METHODS.contains(request.method().name())) {
            return request.path();
        }
        return settings.rootSpec()
                .map(function -> "/rpc/"
                        + URLEncoder.encode(function, StandardCharsets.UTF_8).replace("+", "%20"))
                .orElse(request.path());
    }
}
