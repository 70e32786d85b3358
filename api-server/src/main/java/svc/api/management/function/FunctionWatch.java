package svc.api.management.function;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import svc.api.runtime.ApiConfig;
import svc.api.runtime.ServerRole;
import svc.crds.function.EdgeFunction;

/**
 * The control plane's watch on EdgeFunctions, as lasting as the one on Projects. Tells listeners of changes, and lets a
 * call wait for what the operator makes of one.
 */
@ApplicationScoped
class FunctionWatch {
    private static final Logger LOG = Logger.getLogger(FunctionWatch.class);

    private final KubernetesClient kubernetes;
    private final ApiConfig config;
    private final List<Listener> listeners;
    private final List<SharedIndexInformer<EdgeFunction>> informers = new CopyOnWriteArrayList<>();
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();

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

    private record Waiter(
            String namespace, String name, Predicate<EdgeFunction> until, CompletableFuture<EdgeFunction> found) {
        void offer(EdgeFunction function) {
            if (function.getMetadata().getNamespace().equals(namespace)
                    && function.getMetadata().getName().equals(name)
                    && until.test(function)) {
                found.complete(function);
            }
        }
    }

    void start(@Observes StartupEvent event) {
        if (!config.roles().contains(ServerRole.CONTROL)) {
            return;
        }
        Optional<List<String>> namespaces = config.projects().watch();
        if (namespaces.isEmpty()) {
            start(kubernetes.resources(EdgeFunction.class).inAnyNamespace().runnableInformer(0));
        } else {
            namespaces
                    .get()
                    .forEach(namespace -> start(kubernetes
                            .resources(EdgeFunction.class)
                            .inNamespace(namespace)
                            .runnableInformer(0)));
        }
    }

    private void start(SharedIndexInformer<EdgeFunction> informer) {
        informer.addEventHandler(new Dispatch());
        informer.exceptionHandler((started, failure) -> {
            LOG.warnf("the watch on functions broke and is begun again: %s", failure.getMessage());
            return true;
        });
        informers.add(informer);
        informer.start().whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.errorf(failure, "the watch on functions ended");
            }
        });
    }

    void stop(@Observes ShutdownEvent event) {
        informers.forEach(SharedIndexInformer::stop);
    }

    /** All functions that are known. */
    List<EdgeFunction> all() {
        return informers.stream()
                .flatMap(informer -> informer.getStore().list().stream())
                .toList();
    }

    Optional<EdgeFunction> find(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        return informers.stream()
                .map(informer -> informer.getIndexer().getByKey(key))
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Blocks until the function is as wanted; empty when that takes longer than {@code limit}. */
    Optional<EdgeFunction> await(String namespace, String name, Predicate<EdgeFunction> until, Duration limit) {
        Waiter waiter = new Waiter(namespace, name, until, new CompletableFuture<>());
        waiters.add(waiter);
        try {
            // What came before the waiter was listed is in the store.
            find(namespace, name).ifPresent(waiter::offer);
            return Optional.of(waiter.found().get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("while waiting for the function " + name, e);
        } finally {
            waiters.remove(waiter);
        }
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
            waiters.forEach(waiter -> waiter.offer(function));
            listeners.forEach(listener -> listener.seen(before, function));
        }
    }
}
