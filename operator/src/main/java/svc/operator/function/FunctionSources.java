package svc.operator.function;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.crds.function.EdgeFunction;
import svc.crds.function.FunctionObject;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
import svc.operator.function.FunctionSteps.Known;
import svc.operator.function.desired.DesiredFunction;
import svc.operator.function.desired.FunctionEnvironment;
import svc.operator.function.status.FunctionPod;
import svc.operator.function.status.Rollout;
import svc.operator.function.variable.FunctionKey;
import svc.operator.kubernetes.InformerSync;
import svc.operator.kubernetes.Labels;

/** The event sources of EdgeFunctions, and lookups in their caches. */
final class FunctionSources {
    private static final String BY_PROJECT = "project";
    private static final String BY_FUNCTION = "function";
    private static final String BY_OBJECT = "object";

    private final IndexerResourceCache<EdgeFunction> functions;
    private final InformerEventSource<Project, EdgeFunction> projects;
    private final InformerEventSource<FunctionSecret, EdgeFunction> secrets;
    private final InformerEventSource<EdgeFunction, EdgeFunction> siblings;
    private final InformerEventSource<FunctionPod, EdgeFunction> pods;
    private final List<InformerEventSource<?, EdgeFunction>> objects;

    FunctionSources(EventSourceContext<EdgeFunction> context) {
        this.functions = context.getPrimaryCache();
        functions.addIndexer(BY_PROJECT, function -> List.of(project(function)));
        functions.addIndexer(BY_OBJECT, function -> List.of(object(function)));
        this.projects = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Project.class, EdgeFunction.class)
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(
                                project -> ids(ofProject(project.getMetadata().getNamespace() + "/"
                                        + project.getMetadata().getName())))
                        .withPrimaryToSecondaryMapper((EdgeFunction function) -> Set.of(new ResourceID(
                                function.getSpec().projectRef().name(),
                                function.getMetadata().getNamespace())))
                        .build(),
                context);
        this.secrets = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(FunctionSecret.class, EdgeFunction.class)
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(secret -> ids(concerned(FunctionKey.of(secret))))
                        .withPrimaryToSecondaryMapper((EdgeFunction function) -> ids(secretsOf(function)))
                        // The digest changes with the value; other status fields do not concern the function.
                        .withOnUpdateFilter((now, before) -> !Objects.equals(digest(now), digest(before))
                                || !Objects.equals(
                                        now.getMetadata().getGeneration(),
                                        before.getMetadata().getGeneration())
                                || now.isMarkedForDeletion())
                        .build(),
                context);
        secrets.addIndexers(
                Map.of(BY_FUNCTION, secret -> List.of(FunctionKey.of(secret).text())));
        // A deleted function may free its name, or a place below maxFunctions, for another.
        this.siblings = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(EdgeFunction.class, EdgeFunction.class)
                        .withName("siblings")
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(function -> ids(ofProject(project(function))))
                        .withPrimaryToSecondaryMapper(
                                (EdgeFunction function) -> Set.of(ResourceID.fromResource(function)))
                        .withOnAddFilter(function -> false)
                        .withOnUpdateFilter((now, before) -> false)
                        .build(),
                context);
        this.pods = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(FunctionPod.class, EdgeFunction.class)
                        .withLabelSelector(Labels.FUNCTION)
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(pod -> ids(functions.byIndex(BY_OBJECT, object(pod))))
                        .withPrimaryToSecondaryMapper((EdgeFunction function) -> ids(podsOf(function)))
                        // A pod that comes up changes the Deployment too.
                        .withOnAddFilter(pod -> Rollout.startFailure(pod).isPresent())
                        .withOnUpdateFilter(
                                (now, before) -> !Rollout.startFailure(now).equals(Rollout.startFailure(before)))
                        .withOnDeleteFilter(
                                (pod, unknown) -> Rollout.startFailure(pod).isPresent())
                        .build(),
                context);
        pods.addIndexers(Map.of(BY_OBJECT, pod -> List.of(object(pod))));
        this.objects = List.of(
                owned(Deployment.class, DesiredFunction.PURPOSE, context),
                owned(Service.class, DesiredFunction.PURPOSE, context),
                owned(NetworkPolicy.class, DesiredFunction.PURPOSE, context),
                owned(Secret.class, FunctionEnvironment.PURPOSE, context));
    }

    /** For registration with the controller. */
    List<EventSource<?, EdgeFunction>> all() {
        return List.copyOf(informers().toList());
    }

    private Stream<InformerEventSource<?, EdgeFunction>> informers() {
        return Stream.concat(objects.stream(), Stream.of(projects, secrets, siblings, pods));
    }

    /**
     * What the caches hold about a function.
     *
     * @param siblings the functions of the same project, including this one
     * @param secrets the function's own and those of all functions of its project
     */
    record Cached(Optional<Project> project, List<EdgeFunction> siblings, List<FunctionSecret> secrets, Known known) {}

    /** Reads the caches; empty if one of them may lack something that exists. */
    Optional<Cached> read(EdgeFunction function, Context<EdgeFunction> context) {
        var cached = new Cached(
                projects.get(new ResourceID(
                        function.getSpec().projectRef().name(),
                        function.getMetadata().getNamespace())),
                functions.byIndex(BY_PROJECT, project(function)),
                secretsOf(function),
                Known.of(context));
        return hasItself(cached.siblings(), function) && InformerSync.areSynced(informers())
                ? Optional.of(cached)
                : Optional.empty();
    }

    /** The cache of functions is not one of these informers; once closed it has none. */
    private static boolean hasItself(List<EdgeFunction> siblings, EdgeFunction function) {
        return siblings.stream()
                .anyMatch(sibling -> sibling.getMetadata()
                        .getUid()
                        .equals(function.getMetadata().getUid()));
    }

    private List<FunctionSecret> secretsOf(EdgeFunction function) {
        FunctionKey key = FunctionKey.of(function);
        return Stream.of(key, key.ofAll())
                .flatMap(one -> secrets.byIndex(BY_FUNCTION, one.text()).stream())
                .toList();
    }

    /** The pods of the function, of every version. */
    List<FunctionPod> podsOf(EdgeFunction function) {
        return pods.byIndex(BY_OBJECT, object(function));
    }

    private List<EdgeFunction> ofProject(String key) {
        return functions.byIndex(BY_PROJECT, key);
    }

    /** The functions whose environment a secret with this key is in. */
    private List<EdgeFunction> concerned(FunctionKey key) {
        return ofProject(key.namespace() + "/" + key.project()).stream()
                .filter(function -> key.isOfAll() || function.getSpec().name().equals(key.function()))
                .toList();
    }

    private static <T extends HasMetadata> InformerEventSource<T, EdgeFunction> owned(
            Class<T> kind, String purpose, EventSourceContext<EdgeFunction> context) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(kind, EdgeFunction.class)
                        .withLabelSelector(Labels.selector(purpose))
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(EdgeFunction.class))
                        .build(),
                context);
    }

    private static String project(EdgeFunction function) {
        return function.getMetadata().getNamespace() + "/"
                + function.getSpec().projectRef().name();
    }

    private static String object(EdgeFunction function) {
        return function.getMetadata().getNamespace() + "/"
                + FunctionObject.name(function.getMetadata().getName());
    }

    /** The name of the Deployment in the pod's label: its owner is a ReplicaSet, which is not cached. */
    private static String object(FunctionPod pod) {
        return pod.getMetadata().getNamespace() + "/"
                + pod.getMetadata().getLabels().get(Labels.FUNCTION);
    }

    private static String digest(FunctionSecret secret) {
        return secret.getStatus() == null ? null : secret.getStatus().digest();
    }

    private static Set<ResourceID> ids(Collection<? extends HasMetadata> resources) {
        return resources.stream().map(ResourceID::fromResource).collect(Collectors.toSet());
    }
}
