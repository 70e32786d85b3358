package svc.platform.workload;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What an EndpointSlice says of ready endpoints. Its addresses are untrusted: see {@link PodAddress}. */
public final class ReadyEndpoints {
    /** Of a slice that names none. */
    private static final int PORT = 8080;

    private ReadyEndpoints() {}

    /** The first address of each ready endpoint; an unknown readiness counts as ready, as the Kubernetes API asks for. */
    public static Stream<String> addresses(EndpointSlice slice) {
        // Kubernetes sends null for a Service without pods.
        List<Endpoint> endpoints = slice.getEndpoints() == null ? List.of() : slice.getEndpoints();
        return endpoints.stream()
                .filter(endpoint -> endpoint.getConditions() == null
                        || !Boolean.FALSE.equals(endpoint.getConditions().getReady()))
                .flatMap(endpoint -> endpoint.getAddresses().stream().limit(1));
    }

    public static int port(EndpointSlice slice) {
        return slice.getPorts().stream()
                .map(EndpointPort::getPort)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(PORT);
    }
}
