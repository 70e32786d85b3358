package svc.platform.dataplane;

import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The services that a project's host has a prefix for (SPEC 1, rule 1). */
@Singleton
public final class ServiceDirectory {
    private static final String VERSION = "/v1";

    private final List<Prefix> prefixes;

    private record Prefix(String path, ServiceDescriptor descriptor) {}

    /** @param built one descriptor of each module that is a service */
    public ServiceDirectory(@All List<ServiceDescriptor> built) {
        this.prefixes = built.stream()
                .sorted(Comparator.comparingInt(ServiceDescriptor::position))
                .map(descriptor -> new Prefix("/" + descriptor.service() + VERSION, descriptor))
                .toList();
    }

    /** The path prefixes, such as {@code /rest/v1}. */
    public List<String> prefixes() {
        return prefixes.stream().map(Prefix::path).toList();
    }

    /**
     * Checks that a service that runs in this process has a descriptor; without one no path would lead to it.
     *
     * @throws IllegalStateException if it has none
     */
    public void requireDescriptor(String service) {
        if (prefixes.stream().noneMatch(prefix -> prefix.descriptor().service().equals(service))) {
            throw new IllegalStateException("the service " + service + " has no ServiceDescriptor");
        }
    }

    /**
     * Cuts a path of a project's host. Empty for a path outside of the prefixes, and for one with a dot segment, plain or
     * encoded: the path that decides whether credentials are needed must be the path that the service handles. No client
     * sends one.
     */
    public Optional<DataPlanePath> cut(String path) {
        if (DataPlanePath.hasDotSegment(path)) {
            return Optional.empty();
        }
        for (Prefix prefix : prefixes) {
            int end = prefix.path().length();
            if (path.startsWith(prefix.path()) && (path.length() == end || path.charAt(end) == '/')) {
                return Optional.of(
                        new DataPlanePath(prefix.descriptor(), path.length() == end ? "/" : path.substring(end)));
            }
        }
        return Optional.empty();
    }
}
