package svc.operator.pod;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;

/**
 * Local disk of a pod. Kubernetes evicts a pod that exceeds the limit, and schedules by the request.
 *
 * @param request empty: Kubernetes takes the limit
 * @param limit of the container and of its volume {@code /tmp}; empty: the default of the kind of pod
 */
public record EphemeralStorage(Optional<Quantity> request, Optional<Quantity> limit) {
    /** The defaults of each kind of pod. */
    public static final EphemeralStorage USUAL = new EphemeralStorage(Optional.empty(), Optional.empty());

    private static final String RESOURCE = "ephemeral-storage";

    /** Adds the request and the limit that are set. */
    public void addTo(Map<String, Quantity> requests, Map<String, Quantity> limits) {
        request.ifPresent(amount -> requests.put(RESOURCE, amount));
        limit.ifPresent(amount -> limits.put(RESOURCE, amount));
    }

    /** The limit, of both the container and {@code /tmp}. */
    public EphemeralStorage orLimit(Quantity usual) {
        return new EphemeralStorage(request, limit.or(() -> Optional.of(usual)));
    }
}
