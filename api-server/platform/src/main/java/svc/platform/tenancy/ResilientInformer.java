package svc.platform.tenancy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * An informer on one kind of resource, in some namespaces or in all. It retries until it succeeds while the API server is
 * unreachable or does not know the kind yet, and keeps its cache meanwhile.
 */
public final class ResilientInformer<T extends HasMetadata> {
    private static final Logger LOG = Logger.getLogger(ResilientInformer.class);

    private final String what;
    private final List<SharedIndexInformer<T>> informers = new CopyOnWriteArrayList<>();
    private final List<Waiter<T>> waiters = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    /** A caller that waits until one resource satisfies a predicate. */
    private record Waiter<T extends HasMetadata>(
            String namespace, String name, Predicate<T> until, CompletableFuture<T> found) {
        void offer(T resource) {
            if (resource.getMetadata().getNamespace().equals(namespace)
                    && resource.getMetadata().getName().equals(name)
                    && until.test(resource)) {
                found.complete(resource);
            }
        }
    }

    /** @param what is watched, for messages, such as {@code projects} */
    public ResilientInformer(String what) {
        this.what = what;
    }

    /**
     * Begins.
     *
     * @param namespaces to watch; empty, or none in the list, for all
     * @param selector of labels
     * @param prepare adds indexes and listeners to an informer before it starts
     */
    public void start(
            Optional<List<String>> namespaces,
            MixedOperation<T, ?, ?> kind,
            Optional<String> selector,
            Consumer<SharedIndexInformer<T>> prepare) {
        List<String> named = namespaces.orElse(List.of());
        List<Informable<T>> scopes = named.isEmpty()
                ? List.of(selector.<Informable<T>>map(
                                labels -> kind.inAnyNamespace().withLabelSelector(labels))
                        .orElseGet(kind::inAnyNamespace))
                : named.stream()
                        .map(kind::inNamespace)
                        .map(all -> selector.<Informable<T>>map(all::withLabelSelector)
                                .orElse(all))
                        .toList();
        scopes.forEach(scope -> start(scope.runnableInformer(0), prepare));
    }

    private void start(SharedIndexInformer<T> informer, Consumer<SharedIndexInformer<T>> prepare) {
        prepare.accept(informer);
        informer.exceptionHandler((started, failure) -> {
            LOG.warnf("informer on %s failed and is restarted: %s", what, failure.getMessage());
            return true;
        });
        informers.add(informer);
        informer.start().whenComplete((done, failure) -> {
            if (failure != null && !stopped) {
                LOG.errorf(failure, "informer on %s stopped", what);
            }
        });
    }

    public void stop() {
        stopped = true;
        informers.forEach(SharedIndexInformer::stop);
    }

    /** Whether it was started. */
    public boolean started() {
        return !informers.isEmpty();
    }

    /** Whether all that existed at the start is known. */
    public boolean synced() {
        return informers.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    /** All that is known. */
    public Stream<T> all() {
        return informers.stream().flatMap(informer -> informer.getStore().list().stream());
    }

    /** What has that key in an index that was added when it was started. */
    public Stream<T> indexed(String index, String key) {
        return informers.stream().flatMap(informer -> informer.getIndexer().byIndex(index, key).stream());
    }

    public Optional<T> find(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        return informers.stream()
                .map(informer -> informer.getIndexer().getByKey(key))
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Must be called with every resource that a listener receives; wakes the callers that wait for it. */
    public void seen(T resource) {
        waiters.forEach(waiter -> waiter.offer(resource));
    }

    /**
     * Blocks until the resource satisfies the predicate, and returns it; empty after {@code limit}. Does not poll: the
     * informer's events wake it.
     */
    public Optional<T> await(String namespace, String name, Predicate<T> until, Duration limit) {
        Waiter<T> waiter = new Waiter<>(namespace, name, until, new CompletableFuture<>());
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
            throw new IllegalStateException("while waiting for " + name + " of the " + what, e);
        } finally {
            waiters.remove(waiter);
        }
    }
}
