package svc.operator.secret;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
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

    SecretSources(EventSourceContext<FunctionSecret> context) {
        this.secrets = context.getPrimaryCache();
        secrets.addIndexer(BY_FUNCTION, secret -> List.of(FunctionKey.of(secret).text()));
        secrets.addIndexer(BY_SECRET, secret -> List.of(value(secret)));
        secrets.addIndexer(BY_PROJECT, secret -> List.of(project(secret)));
        this.projects = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Project.class, FunctionSecret.class)
                        .withNamespacesInheritedFromController()
                        .withSecondaryToPrimaryMapper(project -> ids(secrets.byIndex(BY_PROJECT, key(project))))
                        .withPrimaryToSecondaryMapper((FunctionSecret secret) -> Set.of(new ResourceID(
                                secret.getSpec().projectRef().name(),
                                secret.getMetadata().getNamespace())))
                        .build(),
                context);
        this.functions = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(EdgeFunction.class, FunctionSecret.class)
                        .withNamespacesInheritedFromController()
                        .withSecondaryToPrimaryMapper(function -> ids(concerning(FunctionKey.of(function))))
                        .withPrimaryToSecondaryMapper((FunctionSecret secret) -> ids(functionsOf(secret)))
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
                        .withSecondaryToPrimaryMapper(secret -> ids(of(FunctionKey.of(secret))))
                        .withPrimaryToSecondaryMapper(
                                (FunctionSecret secret) -> Set.of(ResourceID.fromResource(secret)))
                        .withOnAddFilter(secret -> false)
                        .withOnUpdateFilter((now, before) -> false)
                        .build(),
                context);
    }

    /** For registration with the controller. */
    List<EventSource<?, FunctionSecret>> all() {
        return List.of(projects, functions, values, siblings);
    }

    /** Whether the caches of projects and functions are synced: until then a missing object may exist. */
    boolean areSynced() {
        return InformerSync.areSynced(projects, functions);
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
