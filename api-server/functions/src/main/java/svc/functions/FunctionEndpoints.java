package svc.functions;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import svc.functions.FunctionRoute.Key;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ResilientInformer;

/** The ready processes of all functions, from EndpointSlices, on a cluster and on one machine. */
@ApplicationScoped
public class FunctionEndpoints {
    private static final String SERVICE = "kubernetes.io/service-name";
    private static final String OURS = "svc.platform/purpose=function";

    private final KubernetesClient kubernetes;
    private final ApiConfig config;
    private final InvocationConfig functions;
    /** By function, then by slice: a Service may have several. */
    private final Map<Key, Map<String, List<FunctionEndpoint>>> ready = new ConcurrentHashMap<>();

    private final List<Consumer<Key>> listeners = new CopyOnWriteArrayList<>();
    private final ResilientInformer<EndpointSlice> watch = new ResilientInformer<>("endpoints of functions");

    FunctionEndpoints(KubernetesClient kubernetes, ApiConfig config, InvocationConfig functions) {
        this.kubernetes = kubernetes;
        this.config = config;
        this.functions = functions;
    }

    void start(@Observes StartupEvent event) {
        if (!config.roles().contains(ServerRole.DATA)) {
            return;
        }
        // A cluster copies a Service's labels to its slices and has many other slices; one machine has only functions'.
        String ours = functions.sockets().isPresent() ? SERVICE : OURS;
        watch.start(
                config.projects().watch(),
                kubernetes.discovery().v1().endpointSlices(),
                Optional.of(ours),
                informer -> informer.addEventHandler(new Dispatch()));
    }

    void stop(@Observes ShutdownEvent event) {
        watch.stop();
    }

    boolean synced() {
        return watch.synced();
    }

    /** Called for every function of which a process became ready or ended; must return quickly. */
    void onChange(Consumer<Key> listener) {
        listeners.add(listener);
    }

    /** The ready processes of a function. */
    public List<FunctionEndpoint> of(Key key) {
        List<FunctionEndpoint> all = new ArrayList<>();
        ready.getOrDefault(key, Map.of()).values().forEach(all::addAll);
        return all;
    }

    /** The process with the fewest calls. */
    Optional<FunctionEndpoint> leastBusy(Key key, Set<SocketAddress> except) {
        return of(key).stream()
                .filter(process -> !except.contains(process.address()))
                .min(Comparator.comparingInt(FunctionEndpoint::calls));
    }

    /** Functions with a ready process. */
    Set<Key> running() {
        return Set.copyOf(ready.keySet());
    }

    /** Ready processes of all functions. */
    int count() {
        return ready.values().stream()
                .flatMap(slices -> slices.values().stream())
                .mapToInt(List::size)
                .sum();
    }

    private void seen(EndpointSlice slice) {
        key(slice).ifPresent(key -> {
            List<SocketAddress> addresses = EndpointAddresses.of(slice, key, functions.sockets());
            ready.compute(key, (unused, slices) -> {
                Map<String, List<FunctionEndpoint>> next = new ConcurrentHashMap<>(slices == null ? Map.of() : slices);
                List<FunctionEndpoint> before = next.getOrDefault(name(slice), List.of());
                List<FunctionEndpoint> now = addresses.stream()
                        .map(address -> before.stream()
                                .filter(process -> process.address().equals(address))
                                .findFirst()
                                // A process that is already known keeps its call count.
                                .orElseGet(() -> new FunctionEndpoint(address)))
                        .toList();
                if (now.isEmpty()) {
                    next.remove(name(slice));
                } else {
                    next.put(name(slice), now);
                }
                return next.isEmpty() ? null : next;
            });
            listeners.forEach(listener -> listener.accept(key));
        });
    }

    private void gone(EndpointSlice slice) {
        key(slice).ifPresent(key -> {
            ready.computeIfPresent(key, (unused, slices) -> {
                Map<String, List<FunctionEndpoint>> next = new ConcurrentHashMap<>(slices);
                next.remove(name(slice));
                return next.isEmpty() ? null : next;
            });
            listeners.forEach(listener -> listener.accept(key));
        });
    }

    private static Optional<Key> key(EndpointSlice slice) {
        Map<String, String> labels = slice.getMetadata().getLabels();
        return Optional.ofNullable(labels == null ? null : labels.get(SERVICE))
                .map(service -> new Key(slice.getMetadata().getNamespace(), service));
    }

    private static String name(EndpointSlice slice) {
        return slice.getMetadata().getName();
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
            gone(slice);
        }
    }
}
