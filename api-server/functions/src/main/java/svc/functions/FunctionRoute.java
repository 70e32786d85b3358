package svc.functions;

import java.util.Optional;
import java.util.UUID;
import svc.crds.function.FunctionObject;
import svc.crds.function.ScaleSpec;
import svc.crds.project.service.FunctionsSpec;

/**
 * A function that may be called.
 *
 * @param namespace of its resources
 * @param resource name of the EdgeFunction
 * @param name in the URL
 * @param limits of its project
 * @param unavailable the reason why no process can start; empty if one can
 */
public record FunctionRoute(
        UUID projectId,
        String namespace,
        String resource,
        String name,
        boolean verifyJwt,
        ScaleSpec scale,
        FunctionsSpec limits,
        Optional<String> unavailable) {
    private static final long MEBIBYTE = 1 << 20;

    /** The key of its processes. */
    Key key() {
        return new Key(namespace, FunctionObject.name(resource));
    }

    long requestLimit() {
        return limits.requestSizeLimitMB() * MEBIBYTE;
    }

    long responseLimit() {
        return limits.responseSizeLimitMB() * MEBIBYTE;
    }

    int maxProcesses() {
        return Math.max(scale.min(), scale.max());
    }

    /** The Deployment, Service and EndpointSlices of a function. */
    public record Key(String namespace, String object) {}
}
