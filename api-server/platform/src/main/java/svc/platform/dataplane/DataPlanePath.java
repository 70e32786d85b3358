package svc.platform.dataplane;

import io.vertx.core.http.HttpMethod;
import java.util.Locale;

/**
 * A path of a project's host, cut into the service and the rest.
 *
 * @param rest percent-encoded as received, begins with a slash
 */
public record DataPlanePath(ServiceDescriptor descriptor, String rest) {
    public String service() {
        return descriptor.service();
    }

    /** Whether the path works without an API key. */
    public boolean isUnauthenticated(HttpMethod method) {
        return descriptor.isUnauthenticated(method, rest);
    }

    /** The largest body that the path takes, in bytes. */
    public long bodyLimit(HttpMethod method, BodyLimits limits) {
        return descriptor.bodyLimit(method, rest, limits);
    }

    static boolean hasDotSegment(String path) {
        if (path.indexOf('.') < 0 && path.indexOf('%') < 0) {
            return false;
        }
        for (String segment : path.toLowerCase(Locale.ROOT).replace("%2e", ".").split("/", -1)) {
            if (segment.equals(".") || segment.equals("..")) {
                return true;
            }
        }
        return false;
    }
}
