package svc.api.tenancy;

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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import svc.api.runtime.ApiConfig;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;

/**
 * The one watch on Projects in this process. It survives everything: an API server that is away, or that does not know
 * the kind yet, is asked again and again, and what was known meanwhile stays.
 */
@ApplicationScoped
public class ProjectWatch {
    private static final Logger LOG = Logger.getLogger(ProjectWatch.class);
    private static final String BY_REF = "ref";
    private static final String BY_ORGANIZATION = "organization";

    private final KubernetesClient kubernetes;
    private final ApiConfig.Projects config;
    private final List<ProjectListener> listeners;
    private final List<SharedIndexInformer<Project>> informers = new CopyOnWriteArrayList<>();
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();

    ProjectWatch(KubernetesClient kubernetes, ApiConfig config, @All List<ProjectListener> listeners) {
        this.kubernetes = kubernetes;
        this.config = config.projects();
        this.listeners = listeners;
    }

    /** Somebody who waits for one project to be as the predicate wants it. */
    private record Waiter(String namespace, String name, Predicate<Project> until, CompletableFuture<Project> found) {
        void offer(Project project) {
            if (project.getMetadata().getNamespace().equals(namespace)
                    && project.getMetadata().getName().equals(name)
                    && until.test(project)) {
                found.complete(project);
            }
        }
    }

    void start(@Observes StartupEvent event) {
        Optional<List<String>> namespaces = config.watch();
        if (namespaces.isEmpty()) {
            start(kubernetes.resources(Project.class).inAnyNamespace().runnableInformer(0));
        } else {
            namespaces
                    .get()
                    .forEach(namespace -> start(kubernetes
                            .resources(Project.class)
                            .inNamespace(namespace)
                            .runnableInformer(0)));
        }
    }

    private void start(SharedIndexInformer<Project> informer) {
        Map<String, Function<Project, List<String>>> indexers = Map.of(
                BY_REF, project -> List.of(refOf(project)),
                BY_ORGANIZATION, project -> List.of(project.getSpec().organization()));
        informer.addIndexers(indexers);
        informer.addEventHandler(new Dispatch());
        informer.exceptionHandler((started, failure) -> {
            LOG.warnf("the watch on projects broke and is begun again: %s", failure.getMessage());
            return true;
        });
        informers.add(informer);
        informer.start().whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.errorf(failure, "the watch on projects ended");
            }
        });
    }

    void stop(@Observes ShutdownEvent event) {
        informers.forEach(SharedIndexInformer::stop);
    }

    /** Whether all projects that existed at the start are known; until then an unknown ref may only be unknown yet. */
    public boolean synced() {
        return !informers.isEmpty() && informers.stream().allMatch(SharedIndexInformer::hasSynced);
    }

    /** The resources that stand for this ref; more than one only while all but one are in conflict. */
    public List<Project> byRef(String ref) {
        return indexed(BY_REF, ref).toList();
    }

    /** The resource of that name, if it is known, whether or not it holds its ref. */
    public Optional<Project> find(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        return informers.stream()
                .map(informer -> informer.getIndexer().getByKey(key))
                .filter(Objects::nonNull)
                .findFirst();
    }

    public List<Project> ofOrganization(String organization) {
        return indexed(BY_ORGANIZATION, organization).toList();
    }

    /** The ref that a resource stands for, whether or not it is the one that holds it. */
    public static String refOf(Project project) {
        return ProjectIdentity.of(project).ref();
    }

    /**
     * Blocks until the project is as wanted, and returns it; empty when that takes longer than {@code limit}. Nothing is
     * polled: the watch tells.
     */
    public Optional<Project> await(String namespace, String name, Predicate<Project> until, Duration limit) {
        Waiter waiter = new Waiter(namespace, name, until, new CompletableFuture<>());
        waiters.add(waiter);
        try {
            // What came before the waiter was listed is in the store.
            String key = Cache.namespaceKeyFunc(namespace, name);
            informers.stream()
                    .map(informer -> informer.getIndexer().getByKey(key))
                    .filter(Objects::nonNull)
                    .forEach(waiter::offer);
            return Optional.of(waiter.found().get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("while waiting for the project " + name, e);
        } finally {
            waiters.remove(waiter);
        }
    }

    private Stream<Project> indexed(String index, String key) {
        return informers.stream().flatMap(informer -> informer.getIndexer().byIndex(index, key).stream());
    }

    private void tell(Project project) {
        listeners.forEach(listener -> listener.seen(project));
        waiters.forEach(waiter -> waiter.offer(project));
    }

    private final class Dispatch implements ResourceEventHandler<Project> {
        @Override
        public void onAdd(Project project) {
            tell(project);
        }

        @Override
        public void onUpdate(Project before, Project project) {
            tell(project);
        }

        @Override
        public void onDelete(Project project, boolean finalStateUnknown) {
            listeners.forEach(listener -> listener.gone(project));
        }
    }
}
