package svc.embedded.kubernetes.http;

import java.util.List;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.store.ObjectKey;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.type.Served;

/**
 * What a path below {@code /api/v1} or {@code /apis/<group>/<version>} addresses.
 *
 * @param subresource empty for the object itself
 */
record ResourcePath(Served served, Optional<String> namespace, Optional<String> name, String subresource) {
    /** Reads a path.
     *
     * @throws ApiFailure 404 for one that addresses nothing */
    static ResourcePath parse(List<String> path, ResourceCatalog catalog) {
        boolean core = path.getFirst().equals("api");
        int resourceAt = core ? 2 : 3;
        if (path.size() <= resourceAt) {
            throw ApiFailure.noSuchPath();
        }
        String group = core ? "" : path.get(1);
        String version = path.get(resourceAt - 1);
        List<String> rest = path.subList(resourceAt, path.size());
        boolean inNamespace = rest.getFirst().equals("namespaces")
                && rest.size() > 2
                && !(core && List.of("status", "finalize").contains(rest.get(2)));
        Optional<String> namespace = inNamespace ? Optional.of(rest.get(1)) : Optional.empty();
        List<String> own = inNamespace ? rest.subList(2, rest.size()) : rest;
        Served served = catalog.find(group, version, own.getFirst()).orElseThrow(ApiFailure::noSuchPath);
        if (own.size() > 3 || inNamespace && !served.type().namespaced()) {
            throw ApiFailure.noSuchPath();
        }
        Optional<String> name = own.size() > 1 ? Optional.of(own.get(1)) : Optional.empty();
        if (name.isPresent() && served.type().namespaced() && namespace.isEmpty()) {
            throw ApiFailure.noSuchPath();
        }
        return new ResourcePath(served, namespace, name, own.size() > 2 ? own.get(2) : "");
    }

    ObjectKey key() {
        return served.type().key(namespace.orElse(""), name.orElse(""));
    }

    ApiFailure.Subject subject() {
        return served.subject(name.orElse(""));
    }
}
