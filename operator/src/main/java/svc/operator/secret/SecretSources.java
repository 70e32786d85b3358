package svc.operator.secret;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
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
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.crds.function.EdgeFunction;
import svc.crds.function.FunctionObject;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
import svc.operator.function.desired.DesiredFunction;
import svc.operator.function.desired.FunctionEnvironment;
import svc.operator.function.status.Rollout;
import svc.operator.function.variable.FunctionKey;
import svc.operator.function.variable.SecretValue;
import svc.operator.kubernetes.InformerSync;
import svc.operator.kubernetes.Labels;

/** The event sources of FunctionSecrets, and lookups in their caches. */
final class SecretSources {
    private static final String BY_FUNCTION = "function";
    private static final String BY_SECRET = "secret";
    private static final String BY_PROJECT = "project";

    private final IndexerResourceCache<FunctionSecret> secrets;
    private final InformerEventSource<Project, FunctionSecret> projects;
    private final InformerEventSource<EdgeFunction, FunctionSecret> functions;
    private final InformerEventSource<Secret, FunctionSecret> values;
    private final InformerEventSource<FunctionSecret, FunctionSecret> siblings;
    private final InformerEventSource<Deployment, FunctionSecret> deployments;
    private final InformerEventSource<Secret, FunctionSecret> environments;

    SecretSources(EventSourceContext<FunctionSecret> context) {
        this.secrets = context.getPrimaryCache();
        secrets.addIndexer(BY_FUNCTION, secret -> List.of(FunctionKey.of(secret).text()));
        secrets.addIndexer(BY_SECRET, secret -> List.of(value(secret)));
        secrets.addIndexer(BY_PROJECT, secret -> List.of(project(secret)));
        this.projects = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Project.class, FunctionSecret.class)
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(project -> ids(secrets.byIndex(BY_PROJECT, key(project))))
                        .withPrimaryToSecondaryMapper((FunctionSecret secret) -> Set.of(new ResourceID(
                                secret.getSpec().projectRef().name(),
                                secret.getMetadata().getNamespace())))
                        .build(),
                context);
        this.functions = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(EdgeFunction.class, FunctionSecret.class)
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(function -> ids(concerning(FunctionKey.of(function))))
                        .withPrimaryToSecondaryMapper((FunctionSecret secret) -> ids(functionsOf(secret)))
                        // What its processes run with is in the Deployment and the environment.
                        .withOnUpdateFilter(SecretSources::hasNewSpec)
                        .build(),
                context);
        functions.addIndexers(Map.of(BY_FUNCTION, function -> {
            FunctionKey key = FunctionKey.of(function);
            return List.of(key.text(), key.ofAll().text());
        }));
        this.values = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Secret.class, FunctionSecret.class)
                        .withLabelSelector(Labels.PURPOSE + "=" + SecretValue.PURPOSE)
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(secret -> ids(secrets.byIndex(BY_SECRET, key(secret))))
                        .withPrimaryToSecondaryMapper((FunctionSecret secret) -> Set.of(new ResourceID(
                                secret.getSpec().valueFrom().secretKeyRef().name(),
                                secret.getMetadata().getNamespace())))
                        .build(),
                context);
        // A deleted FunctionSecret may free its variable for another.
        this.siblings = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(FunctionSecret.class, FunctionSecret.class)
                        .withName("siblings")
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(secret -> ids(of(FunctionKey.of(secret))))
                        .withPrimaryToSecondaryMapper(
                                (FunctionSecret secret) -> Set.of(ResourceID.fromResource(secret)))
                        .withOnAddFilter(secret -> false)
                        .withOnUpdateFilter((now, before) -> false)
                        .build(),
                context);
        this.deployments = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Deployment.class, FunctionSecret.class)
                        .withLabelSelector(Labels.selector(DesiredFunction.PURPOSE))
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(this::servedBy)
                        .withPrimaryToSecondaryMapper(
                                (FunctionSecret secret) -> objectsOf(secret, FunctionObject::name))
                        .withOnUpdateFilter((now, before) -> Rollout.of(Optional.of(now))
                                        != Rollout.of(Optional.of(before))
                                || !environment(now.getSpec().getTemplate().getMetadata())
                                        .equals(environment(
                                                before.getSpec().getTemplate().getMetadata())))
                        .build(),
                context);
        this.environments = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Secret.class, FunctionSecret.class)
                        .withName("environments")
                        .withLabelSelector(Labels.selector(FunctionEnvironment.PURPOSE))
                        .withNamespacesInheritedFromController()
                        .withInformerListLimit(InformerSync.PAGE_SIZE)
                        .withSecondaryToPrimaryMapper(this::servedBy)
                        .withPrimaryToSecondaryMapper(
                                (FunctionSecret secret) -> objectsOf(secret, FunctionObject::environment))
                        .withOnUpdateFilter((now, before) ->
                                !environment(now.getMetadata()).equals(environment(before.getMetadata())))
                        .build(),
                context);
    }

    /** For registration with the controller. */
    List<EventSource<?, FunctionSecret>> all() {
        return List.of(projects, functions, values, siblings, deployments, environments);
    }

    /** Whether the caches that decide about the status were complete when they were read. Call it afterwards. */
    boolean wereComplete(FunctionSecret secret) {
        // The cache of secrets is not one of these informers; once closed it has not even this one.
        return siblingsOf(secret).stream()
                        .anyMatch(sibling -> sibling.getMetadata()
                                .getUid()
                                .equals(secret.getMetadata().getUid()))
                && InformerSync.areSynced(Stream.of(projects, functions, deployments, environments));
    }

    Optional<Deployment> deploymentOf(EdgeFunction function) {
        return deployments.get(object(function, FunctionObject::name));
    }

    /** The Secret with the function's environment. */
    Optional<Secret> environmentOf(EdgeFunction function) {
        return environments.get(object(function, FunctionObject::environment));
    }

    Optional<Project> projectOf(FunctionSecret secret) {
        return projects.get(new ResourceID(
                secret.getSpec().projectRef().name(), secret.getMetadata().getNamespace()));
    }

    /** The FunctionSecrets of the same function, or of all functions, including this one. */
    List<FunctionSecret> siblingsOf(FunctionSecret secret) {
        return of(FunctionKey.of(secret));
    }

    /** The functions that the secret names; of one name more than one only while all but one are in conflict. */
    List<EdgeFunction> functionsOf(FunctionSecret secret) {
        return functions.byIndex(BY_FUNCTION, FunctionKey.of(secret).text());
    }

    /** The functions of a secret for all functions that do not set its variable themselves. */
    List<EdgeFunction> functionsWithout(FunctionSecret secret) {
        return functionsOf(secret).stream()
                .filter(function -> of(FunctionKey.of(function)).stream()
                        .noneMatch(own -> !own.isMarkedForDeletion()
                                && own.getSpec().key().equals(secret.getSpec().key())))
                .toList();
    }

    private List<FunctionSecret> concerning(FunctionKey key) {
        return Stream.of(key, key.ofAll()).flatMap(one -> of(one).stream()).toList();
    }

    /** The secrets of the function that owns the object. */
    private Set<ResourceID> servedBy(HasMetadata object) {
        return Mappers.fromOwnerReferences(EdgeFunction.class).toPrimaryResourceIDs(object).stream()
                .flatMap(id -> functions.get(id).stream())
                .flatMap(function -> concerning(FunctionKey.of(function)).stream())
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
    }

    private Set<ResourceID> objectsOf(FunctionSecret secret, UnaryOperator<String> name) {
        return functionsOf(secret).stream()
                .map(function -> object(function, name))
                .collect(Collectors.toSet());
    }

    private static ResourceID object(EdgeFunction function, UnaryOperator<String> name) {
        return new ResourceID(
                name.apply(function.getMetadata().getName()),
                function.getMetadata().getNamespace());
    }

    private static boolean hasNewSpec(HasMetadata now, HasMetadata before) {
        return !Objects.equals(
                        now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
                || now.isMarkedForDeletion();
    }

    /** The digest of the environment; empty when a user removed it. */
    private static String environment(ObjectMeta metadata) {
        return metadata == null || metadata.getAnnotations() == null
                ? ""
                : metadata.getAnnotations().getOrDefault(DesiredFunction.ENVIRONMENT_HASH, "");
    }

    private List<FunctionSecret> of(FunctionKey key) {
        return secrets.byIndex(BY_FUNCTION, key.text());
    }

    private static String project(FunctionSecret secret) {
        return secret.getMetadata().getNamespace() + "/"
                + secret.getSpec().projectRef().name();
    }

    private static String value(FunctionSecret secret) {
        return secret.getMetadata().getNamespace() + "/"
                + secret.getSpec().valueFrom().secretKeyRef().name();
    }

    private static String key(HasMetadata resource) {
        return resource.getMetadata().getNamespace() + "/"
                + resource.getMetadata().getName();
    }

    private static Set<ResourceID> ids(Collection<? extends HasMetadata> resources) {
        return resources.stream().map(ResourceID::fromResource).collect(Collectors.toSet());
    }
}
