package svc.platform.dataplane;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A path of a project's host, cut into the service and what follows its prefix.
 *
 * @param service {@code rest}, {@code auth}, …
 * @param rest percent-encoded as it came, begins with a slash
 */
public record DataPlanePath(String service, String rest) {
    /** The six services (SPEC 1, rule 1); there is no seventh. */
    static final List<String> SERVICES = List.of("rest", "auth", "storage", "realtime", "graphql", "functions");

    private static final String VERSION = "/v1";

    static String prefix(String service) {
        return "/" + service + VERSION;
    }

    /**
     * Empty for every path outside the six prefixes, and for one with a dot segment, plain or encoded: what the rules for
     * open paths are judged by must be what the service will see, and no client sends one.
     */
    public static Optional<DataPlanePath> of(String path) {
        if (hasDotSegment(path)) {
            return Optional.empty();
        }
        for (String service : SERVICES) {
            String prefix = prefix(service);
            if (path.equals(prefix)) {
                return Optional.of(new DataPlanePath(service, "/"));
            }
            if (path.startsWith(prefix + "/")) {
                return Optional.of(new DataPlanePath(service, path.substring(prefix.length())));
            }
        }
        return Optional.empty();
    }

    private static boolean hasDotSegment(String path) {
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
