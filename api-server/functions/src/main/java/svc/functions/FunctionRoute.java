package svc.functions;

import java.util.Optional;
import java.util.UUID;
import svc.crds.function.FunctionObject;
import svc.crds.function.ScaleSpec;
import svc.crds.project.service.FunctionsSpec;

/**
 * What is known of one function that may be called.
 *
 * @param namespace of its resources
 * @param resource name of the EdgeFunction
 * @param name what callers call it
 * @param limits of its project
 * @param trouble why waiting for a process is in vain; empty where one can be had
 */
public record FunctionRoute(
        UUID projectId,
        String namespace,
        String resource,
        String name,
        boolean verifyJwt,
        ScaleSpec scale,
        FunctionsSpec limits,
        Optional<String> trouble) {
    private static final long MEBIBYTE = 1 << 20;

    /** Under which its processes are found. */
    Key key() {
        return new Key(namespace, FunctionObject.name(resource));
    }

    long requestLimit() {
        return limits.requestSizeLimitMB() * MEBIBYTE;
    }

    long responseLimit() {
        return limits.responseSizeLimitMB() * MEBIBYTE;
    }

    int most() {
        return Math.max(scale.min(), scale.max());
    }

    /** The Deployment, Service and EndpointSlices of a function. */
    public record Key(String namespace, String object) {}
}
