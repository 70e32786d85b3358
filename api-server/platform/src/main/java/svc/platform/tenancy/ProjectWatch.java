package svc.platform.tenancy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.platform.config.ApiConfig;
import svc.platform.config.SidecarProject;

/** The one watch on Projects in this process; see {@link ResilientInformer}. */
@ApplicationScoped
public class ProjectWatch {
    private static final String BY_REF = "ref";
    private static final String BY_ORGANIZATION = "organization";

    private final KubernetesClient kubernetes;
    private final ApiConfig.Projects config;
    private final List<ProjectListener> listeners;
    private final ResilientInformer<Project> watch = new ResilientInformer<>("projects");

    /** The projects that listeners have received, by namespace and name, until these are all that existed at the start. */
    private final Set<String> delivered = ConcurrentHashMap.newKeySet();

    /** The one project of a sidecar, which watches nothing. */
    private final Optional<Project> only;

    private volatile boolean complete;

    @Inject
    ProjectWatch(
            KubernetesClient kubernetes,
            ApiConfig config,
            SidecarProject sidecar,
            @All List<ProjectListener> listeners) {
        this(kubernetes, config.projects(), sidecar.project(), listeners);
    }

    ProjectWatch(KubernetesClient kubernetes, ApiConfig.Projects config, List<ProjectListener> listeners) {
        this(kubernetes, config, Optional.empty(), listeners);
    }

    private ProjectWatch(
            KubernetesClient kubernetes,
            ApiConfig.Projects config,
            Optional<Project> only,
            List<ProjectListener> listeners) {
        this.kubernetes = kubernetes;
        this.config = config;
        this.only = only;
        this.listeners = listeners;
    }

    void start(@Observes StartupEvent event) {
        if (only.isPresent()) {
            listeners.forEach(listener -> listener.seen(only.get()));
            complete = true;
            return;
        }
        Map<String, Function<Project, List<String>>> indexers = Map.of(
                BY_REF, project -> List.of(refOf(project)),
                BY_ORGANIZATION, project -> List.of(project.getSpec().organization()));
        watch.start(config.watch(), kubernetes.resources(Project.class), Optional.empty(), informer -> {
            informer.addIndexers(indexers);
            informer.addEventHandler(new Dispatch());
        });
    }

    void stop(@Observes ShutdownEvent event) {
        watch.stop();
    }

    /**
     * Whether all projects that existed at the start are known to the listeners; until then an unknown ref may only be
     * unknown yet.
     */
    public boolean synced() {
        // The informer knows a resource before its listeners do.
        if (!complete
                && watch.started()
                && watch.synced()
                && watch.all().map(Cache::metaNamespaceKeyFunc).allMatch(delivered::contains)) {
            complete = true;
            delivered.clear();
        }
        return complete;
    }

    /** The resources that stand for this ref; more than one only while all but one are in conflict. */
    public List<Project> byRef(String ref) {
        return Stream.concat(
                        watch.indexed(BY_REF, ref),
                        only.stream().filter(project -> refOf(project).equals(ref)))
                .toList();
    }

    /** The resource of that name, if it is known, whether or not it holds its ref. */
    public Optional<Project> find(String namespace, String name) {
        return watch.find(namespace, name);
    }

    public List<Project> ofOrganization(String organization) {
        return watch.indexed(BY_ORGANIZATION, organization).toList();
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
        return watch.await(namespace, name, until, limit);
    }

    private void tell(Project project) {
        try {
            listeners.forEach(listener -> listener.seen(project));
        } finally {
            if (!complete) {
                delivered.add(Cache.metaNamespaceKeyFunc(project));
            }
            watch.seen(project);
        }
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
