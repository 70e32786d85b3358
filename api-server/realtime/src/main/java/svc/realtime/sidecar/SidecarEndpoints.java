package svc.realtime.sidecar;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ResilientInformer;
import svc.platform.workload.PodAddress;
import svc.platform.workload.ReadyEndpoints;

/** The addresses of the sidecars that take sockets, from EndpointSlices, on a cluster and on one machine. */
@ApplicationScoped
class SidecarEndpoints {
    private static final String SERVICE = "kubernetes.io/service-name";
    private static final String OURS = "svc.platform/purpose=realtime-sidecar";
    private static final String LOOPBACK = "127.0.0.1";

    private final KubernetesClient kubernetes;
    private final ApiConfig api;
    private final boolean loopback;
    private final Map<Sidecar, SocketAddress> ready = new ConcurrentHashMap<>();
    private final List<Consumer<Sidecar>> listeners = new CopyOnWriteArrayList<>();
    private final ResilientInformer<EndpointSlice> watch = new ResilientInformer<>("endpoints of realtime sidecars");

    SidecarEndpoints(KubernetesClient kubernetes, ApiConfig api, SidecarConfig config) {
        this.kubernetes = kubernetes;
        this.api = api;
        this.loopback = config.loopback();
    }

    void start(@Observes StartupEvent event) {
        if (api.roles().contains(ServerRole.DATA)) {
            watch.start(
                    api.projects().watch(),
                    kubernetes.discovery().v1().endpointSlices(),
                    Optional.of(OURS),
                    informer -> informer.addEventHandler(new Dispatch()));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        watch.stop();
    }

    /** Called for each sidecar that became ready; must return quickly. */
    void onReady(Consumer<Sidecar> listener) {
        listeners.add(listener);
    }

    Optional<SocketAddress> of(Sidecar sidecar) {
        return Optional.ofNullable(ready.get(sidecar));
    }

    Set<Sidecar> running() {
        return Set.copyOf(ready.keySet());
    }

    private void seen(EndpointSlice slice) {
        sidecar(slice).ifPresent(sidecar -> {
            Optional<SocketAddress> address = address(slice);
            if (address.isEmpty()) {
                ready.remove(sidecar);
            } else {
                ready.put(sidecar, address.get());
                listeners.forEach(listener -> listener.accept(sidecar));
            }
        });
    }

    private Optional<SocketAddress> address(EndpointSlice slice) {
        return ReadyEndpoints.addresses(slice)
                .filter(address -> PodAddress.isOne(address) || loopback && address.equals(LOOPBACK))
                .findFirst()
                .map(address -> SocketAddress.inetSocketAddress(ReadyEndpoints.port(slice), address));
    }

    private static Optional<Sidecar> sidecar(EndpointSlice slice) {
        Map<String, String> labels = slice.getMetadata().getLabels();
        return Optional.ofNullable(labels == null ? null : labels.get(SERVICE))
                .map(service -> new Sidecar(slice.getMetadata().getNamespace(), service));
    }

    private final class Dispatch implements ResourceEventHandler<EndpointSlice> {
        @Override
        public void onAdd(EndpointSlice slice) {
            seen(slice);
        }

        @Override
        public void onUpdate(EndpointSlice before, EndpointSlice slice) {
            seen(slice);
        }

        @Override
        public void onDelete(EndpointSlice slice, boolean finalStateUnknown) {
            sidecar(slice).ifPresent(ready::remove);
        }
    }
}
