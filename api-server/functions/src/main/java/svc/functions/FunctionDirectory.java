package svc.functions;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionCondition;
import svc.crds.function.EdgeFunctionStatus;
import svc.crds.function.FunctionObject;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.ResilientInformer;
import svc.platform.tenancy.Tenant;

/**
 * The functions that may be called, by project and name, from a watch. Of two resources with one name only the one that
 * the operator activated is served: it has a URL in its status.
 */
@ApplicationScoped
class FunctionDirectory {
    private static final String BY_NAME = "function";
    private static final String BY_OBJECT = "object";

    private final KubernetesClient kubernetes;
    private final ApiConfig config;
    private final ProjectWatch projects;
    private final ResilientInformer<EdgeFunction> watch = new ResilientInformer<>("EdgeFunctions");

    FunctionDirectory(KubernetesClient kubernetes, ApiConfig config, ProjectWatch projects) {
        this.kubernetes = kubernetes;
        this.config = config;
        this.projects = projects;
    }

    void start(@Observes StartupEvent event) {
        if (config.roles().contains(ServerRole.DATA)) {
            watch.start(
                    config.projects().watch(),
                    kubernetes.resources(EdgeFunction.class),
                    Optional.empty(),
                    FunctionDirectory::index);
        }
    }

    private static void index(SharedIndexInformer<EdgeFunction> informer) {
        informer.addIndexers(Map.of(
                BY_OBJECT,
                function -> List.of(index(new FunctionRoute.Key(
                        function.getMetadata().getNamespace(),
                        FunctionObject.name(function.getMetadata().getName())))),
                BY_NAME,
                function -> List.of(index(
                        function.getMetadata().getNamespace(),
                        function.getSpec().projectRef().name(),
                        function.getSpec().name()))));
    }

    void stop(@Observes ShutdownEvent event) {
        watch.stop();
    }

    /** Whether the initial list of functions is loaded. */
    boolean synced() {
        return watch.synced();
    }

    /** The active function with this name in the project; empty if there is none. */
    Optional<FunctionRoute> find(Tenant tenant, String name) {
        return projectOf(tenant)
                .flatMap(project -> named(project, name)
                        .filter(FunctionDirectory::isAdmitted)
                        .findFirst()
                        .map(function -> route(project, function)));
    }

    /** The functions of the project that reference this content, now or in their history. */
    Stream<EdgeFunction> withContent(Tenant tenant, String contentHash) {
        return projectOf(tenant)
                .map(project -> watch.all()
                        .filter(function -> isOf(function, project))
                        .filter(function -> refers(function, contentHash)))
                .orElseGet(Stream::empty);
    }

    /** The function whose processes have this key; empty if it may not be called. */
    Optional<FunctionRoute> find(FunctionRoute.Key key) {
        return watch.indexed(BY_OBJECT, index(key))
                .filter(FunctionDirectory::isAdmitted)
                .findFirst()
                .flatMap(function -> projects.find(
                                key.namespace(), function.getSpec().projectRef().name())
                        .filter(FunctionDirectory::isClaimed)
                        .map(project -> route(project, function)));
    }

    /** The names of the project's functions. */
    Stream<String> names(Tenant tenant) {
        return projectOf(tenant)
                .map(project -> watch.all()
                        .filter(function -> isOf(function, project))
                        .map(function -> function.getSpec().name()))
                .orElseGet(Stream::empty);
    }

    private Optional<Project> projectOf(Tenant tenant) {
        return projects.byRef(tenant.ref()).stream()
                .filter(FunctionDirectory::isClaimed)
                .filter(project ->
                        tenant.projectId().toString().equals(project.getStatus().projectId()))
                .findFirst();
    }

    private static boolean isClaimed(Project project) {
        return project.getStatus() != null
                && project.getStatus().projectId() != null
                && Conditions.in(project.getStatus().conditions(), ProjectCondition.CLAIMED)
                        .filter(Condition::isTrue)
                        .isPresent();
    }

    private Stream<EdgeFunction> named(Project project, String name) {
        String key = index(
                project.getMetadata().getNamespace(), project.getMetadata().getName(), name);
        return watch.indexed(BY_NAME, key);
    }

    private static boolean isOf(EdgeFunction function, Project project) {
        return function.getMetadata()
                        .getNamespace()
                        .equals(project.getMetadata().getNamespace())
                && function.getSpec()
                        .projectRef()
                        .name()
                        .equals(project.getMetadata().getName());
    }

    private static boolean isAdmitted(EdgeFunction function) {
        return !function.isMarkedForDeletion()
                && function.getStatus() != null
                && function.getStatus().url() != null;
    }

    private static boolean refers(EdgeFunction function, String contentHash) {
        EdgeFunctionStatus status = function.getStatus();
        return contentHash.equals(function.getSpec().contentHash())
                || status != null
                        && (contentHash.equals(status.hash())
                                || status.bundle() != null
                                        && contentHash.equals(status.bundle().contentHash()));
    }

    private static FunctionRoute route(Project project, EdgeFunction function) {
        return new FunctionRoute(
                UUID.fromString(project.getStatus().projectId()),
                function.getMetadata().getNamespace(),
                function.getMetadata().getName(),
                function.getSpec().name(),
                function.getSpec().verifyJwt(),
                function.getSpec().scale(),
                project.getSpec().functions(),
                unavailable(function));
    }

    /** The reason why no process can start. */
    private static Optional<String> unavailable(EdgeFunction function) {
        List<Condition> conditions = function.getStatus().conditions();
        Optional<Condition> bundle = function.getStatus().hash() == null
                ? Conditions.in(conditions, EdgeFunctionCondition.BUNDLE_READY).filter(condition -> !condition.isTrue())
                : Optional.empty();
        return bundle.or(() -> Conditions.in(conditions, EdgeFunctionCondition.AVAILABLE)
                        .filter(Condition::isFalse))
                .map(condition -> condition.message().isEmpty() ? condition.reason() : condition.message());
    }

    private static String index(FunctionRoute.Key key) {
        return key.namespace() + "/" + key.object();
    }

    private static String index(String namespace, String project, String name) {
        return namespace + "/" + project + "/" + name;
    }
}
