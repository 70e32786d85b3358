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
 * The control plane's watch on EdgeFunctions, as lasting as the one on Projects. Tells listeners of changes, and lets a
 * call wait for what the operator makes of one.
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

    /** Told of every change, in the order of changes; must return quickly. */
    interface Listener {
        /** @param before null for one that was not known */
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

    /** All functions that are known. */
    List<EdgeFunction> all() {
        return watch.all().toList();
    }

    Optional<EdgeFunction> find(String namespace, String name) {
        return watch.find(namespace, name);
    }

    /** Blocks until the function is as wanted; empty when that takes longer than {@code limit}. */
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
