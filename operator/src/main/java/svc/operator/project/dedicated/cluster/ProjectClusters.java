package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.database.ClusterSpec;
import svc.database.tls.ServerTrust;
import svc.operator.kubernetes.Labels;
import svc.operator.kubernetes.OwnedObjects;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecret.Login;
import svc.operator.project.dedicated.cluster.ClusterProgress.NotYet;
import svc.operator.project.dedicated.cluster.ClusterProgress.Up;

/**
 * Reconciles the CloudNativePG Cluster of each project that asks for one: creates, updates and wakes it, hibernates or
 * deletes it with its Project. Never changes a Cluster without the project's id label.
 */
public final class ProjectClusters {
    private static final int NOT_FOUND = 404;
    private static final int DEFAULT_PORT = 5432;

    private final KubernetesClient client;
    private final OwnedObjects objects;

    public ProjectClusters(KubernetesClient client) {
        this.client = client;
        this.objects = new OwnedObjects(client);
    }

    /** The name of a project's cluster. */
    public static String name(String ref) {
        return DesiredCluster.name(ref);
    }

    /** Applies the Cluster and returns its superuser connection once it is ready. */
    public ClusterProgress reconcile(Project project) {
        String namespace = project.getMetadata().getNamespace();
        ProjectIdentity identity = ProjectIdentity.of(project);
        ClusterSpec clusterSpec = project.getSpec().database().dedicated().cluster();
        GenericKubernetesResource found = at(namespace, identity.ref()).get();
        if (found != null && !isOf(found, identity.projectId())) {
            return new NotYet(
                    ClusterProgress.Reason.NOT_OWNED,
                    "The Cluster " + name(identity.ref())
                            + " exists and is not owned by this Project: delete it, or give"
                            + " the Project another ref.");
        }
        if (found != null && found.getMetadata().getDeletionTimestamp() == null) {
            Optional<NotYet> smaller = refuseShrinking(found, clusterSpec);
            if (smaller.isPresent()) {
                return smaller.get();
            }
        }
        return applied(namespace, identity, clusterSpec, found)
                .map(cluster -> progress(namespace, identity.ref(), cluster))
                .orElseGet(() -> new NotYet(
                        ClusterProgress.Reason.NOT_INSTALLED,
                        "CloudNativePG is not installed in this Kubernetes cluster: install it, or create the Project with"
                                + " spec.database.dedicated.connectionSecretRef for an existing database."));
    }

    /** Empty when the Cluster kind is not installed. */
    private Optional<GenericKubernetesResource> applied(
            String namespace, ProjectIdentity identity, ClusterSpec clusterSpec, GenericKubernetesResource found) {
        GenericKubernetesResource wanted = DesiredCluster.of(
                namespace, identity.ref(), identity.projectId(), clusterSpec, found != null && isRetained(found));
        if (found != null && (found.getMetadata().getDeletionTimestamp() != null || objects.matches(found, wanted))) {
            return Optional.of(found);
        }
        try {
            return Optional.of(client.genericKubernetesResources(ClusterKind.CONTEXT)
                    .inNamespace(namespace)
                    .resource(wanted)
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(Labels.OPERATOR)
                            .withForce(true)
                            .build()));
        } catch (KubernetesClientException e) {
            // An apply creates a missing object: 404 means that the kind is missing.
            if (e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Optional<NotYet> refuseShrinking(GenericKubernetesResource found, ClusterSpec clusterSpec) {
        Object size = found.get("spec", "storage", "size");
        Quantity wanted = clusterSpec.storage().size();
        return size instanceof String has
                        && wanted.getNumericalAmount().compareTo(new Quantity(has).getNumericalAmount()) < 0
                ? Optional.of(new NotYet(
                        ClusterProgress.Reason.CANNOT_SHRINK,
                        "The volumes are " + has + " and cannot become " + wanted + ": set storage.size to " + has
                                + " or more."))
                : Optional.empty();
    }

    private ClusterProgress progress(String namespace, String ref, GenericKubernetesResource cluster) {
        return switch (ClusterState.of(cluster)) {
            case ClusterState.Ready unused -> reach(namespace, name(ref));
            case ClusterState.Hibernated unused when isRetained(cluster) -> starting("it wakes up from hibernation");
            case ClusterState.Hibernated unused ->
                new NotYet(
                        ClusterProgress.Reason.HIBERNATED,
                        "The Cluster " + name(ref) + " hibernates: remove its annotation " + ClusterKind.HIBERNATION
                                + " to wake it.");
            case ClusterState.Starting(var detail) -> starting(detail);
            case ClusterState.Failed(var detail) ->
                new NotYet(
                        ClusterProgress.Reason.FAILED,
                        "CloudNativePG reports a failure of the Cluster " + name(ref) + ": " + detail + ".");
        };
    }

    private static NotYet starting(String detail) {
        return new NotYet(ClusterProgress.Reason.STARTING, "The cluster is not ready yet: " + detail + ".");
    }

    private ClusterProgress reach(String namespace, String cluster) {
        Service service = client.services()
                .inNamespace(namespace)
                .withName(ClusterKind.service(cluster))
                .get();
        Map<String, String> login = values(namespace, ClusterKind.superuserSecret(cluster));
        Map<String, String> authority = values(namespace, ClusterKind.authoritySecret(cluster));
        if (service == null
                || !login.keySet().containsAll(Set.of("username", "password"))
                || !authority.containsKey("ca.crt")) {
            return starting("its Service or Secrets do not exist yet");
        }
        return new Up(new Complete(
                host(service),
                port(service),
                DesiredCluster.DATABASE,
                new Login(login.get("username"), login.get("password")),
                new ServerTrust("verify-full", Optional.of(authority.get("ca.crt"))),
                Optional.empty()));
    }

    /** A DNS name that the server certificate contains. */
    private static String host(Service service) {
        return "ExternalName".equals(service.getSpec().getType())
                ? service.getSpec().getExternalName()
                : service.getMetadata().getName() + "." + service.getMetadata().getNamespace() + ".svc";
    }

    private static int port(Service service) {
        return service.getSpec().getPorts().stream()
                .map(ServicePort::getPort)
                .findFirst()
                .orElse(DEFAULT_PORT);
    }

    private Map<String, String> values(String namespace, String name) {
        Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
        Map<String, String> values = new HashMap<>();
        if (secret != null && secret.getData() != null) {
            secret.getData()
                    .forEach((key, value) ->
                            values.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        }
        return values;
    }

    /** Stops the instances and keeps the volumes until the same Project is created again. */
    public void hibernate(Project project) {
        change(project, cluster -> {
            Map<String, String> annotations = new HashMap<>();
            Optional.ofNullable(cluster.getMetadata().getAnnotations()).ifPresent(annotations::putAll);
            annotations.put(ClusterKind.HIBERNATION, "on");
            cluster.getMetadata().setAnnotations(annotations);
            Map<String, String> labels = new HashMap<>(cluster.getMetadata().getLabels());
            labels.put(DesiredCluster.RETAINED, "true");
            cluster.getMetadata().setLabels(labels);
        });
    }

    private void change(Project project, Consumer<GenericKubernetesResource> change) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        Resource<GenericKubernetesResource> at = at(project.getMetadata().getNamespace(), identity.ref());
        GenericKubernetesResource found = at.get();
        if (found != null && isOf(found, identity.projectId())) {
            at.edit(cluster -> {
                change.accept(cluster);
                return cluster;
            });
        }
    }

    /** Deletes the Cluster; CloudNativePG deletes its volumes. */
    public void delete(Project project) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        Resource<GenericKubernetesResource> at = at(project.getMetadata().getNamespace(), identity.ref());
        GenericKubernetesResource found = at.get();
        if (found != null && isOf(found, identity.projectId())) {
            at.delete();
        }
    }

    private Resource<GenericKubernetesResource> at(String namespace, String ref) {
        return client.genericKubernetesResources(ClusterKind.CONTEXT)
                .inNamespace(namespace)
                .withName(name(ref));
    }

    private static boolean isOf(GenericKubernetesResource cluster, UUID projectId) {
        return projectId.toString().equals(label(cluster, Labels.PROJECT_ID));
    }

    private static boolean isRetained(GenericKubernetesResource cluster) {
        return "true".equals(label(cluster, DesiredCluster.RETAINED));
    }

    private static String label(GenericKubernetesResource cluster, String name) {
        Map<String, String> labels = cluster.getMetadata().getLabels();
        return labels == null ? null : labels.get(name);
    }
}
