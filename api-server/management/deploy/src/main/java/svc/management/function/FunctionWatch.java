package svc.management.function;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import svc.crds.function.EdgeFunction;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ResilientInformer;

/**
 * The control plane's informer for EdgeFunctions, which reconnects like the one for Projects. Notifies listeners of
 * changes, and lets a call wait for the operator.
 */
@ApplicationScoped
class FunctionWatch {
    private final KubernetesClient kubernetes;
    private final ApiConfig config;
    private final List<Listener> listeners;
    private final ResilientInformer<EdgeFunction> watch = new ResilientInformer<>("functions");

    FunctionWatch(KubernetesClient kubernetes, ApiConfig config, @All List<Listener> listeners) {
        this.kubernetes = kubernetes;
        this.config = config;
        this.listeners = listeners;
    }

    /** Called for every change, in order; must return quickly. */
    interface Listener {
        /** @param before null for a new one */
        void seen(EdgeFunction before, EdgeFunction function);

        void gone(EdgeFunction function);
    }

    void start(@Observes StartupEvent event) {
        if (config.roles().contains(ServerRole.CONTROL)) {
            watch.start(
                    config.projects().watch(),
                    kubernetes.resources(EdgeFunction.class),
                    Optional.empty(),
                    informer -> informer.addEventHandler(new Dispatch()));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        watch.stop();
    }

    /** All known functions. */
    List<EdgeFunction> all() {
        return watch.all().toList();
    }

    Optional<EdgeFunction> find(String namespace, String name) {
        return watch.find(namespace, name);
    }

    /** Blocks until the function satisfies the condition; empty if {@code limit} expires. */
    Optional<EdgeFunction> await(String namespace, String name, Predicate<EdgeFunction> until, Duration limit) {
        return watch.await(namespace, name, until, limit);
    }

    private final class Dispatch implements ResourceEventHandler<EdgeFunction> {
        @Override
        public void onAdd(EdgeFunction function) {
            tell(null, function);
        }

        @Override
        public void onUpdate(EdgeFunction before, EdgeFunction function) {
            tell(before, function);
        }

        @Override
        public void onDelete(EdgeFunction function, boolean finalStateUnknown) {
            listeners.forEach(listener -> listener.gone(function));
        }

        private void tell(EdgeFunction before, EdgeFunction function) {
            watch.seen(function);
            listeners.forEach(listener -> listener.seen(before, function));
        }
    }
}
