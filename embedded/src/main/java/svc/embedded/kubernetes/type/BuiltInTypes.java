package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import svc.embedded.kubernetes.ownership.CoreMergeSchema;
import svc.embedded.kubernetes.table.CoreTables;

/** The built-in kinds. No controller acts on them. */
final class BuiltInTypes {
    static final String CRD_GROUP = "apiextensions.k8s.io";
    static final String CRDS = "customresourcedefinitions";

    private final List<ResourceType> types = new ArrayList<>();

    private BuiltInTypes() {}

    static List<ResourceType> all() {
        BuiltInTypes built = new BuiltInTypes();
        built.core();
        built.workloads();
        built.rest();
        return List.copyOf(built.types);
    }

    private void core() {
        add("", "v1", "namespaces", "Namespace", "ns", Trait.CLUSTER, Trait.STATUS);
        add("", "v1", "secrets", "Secret", "");
        add("", "v1", "configmaps", "ConfigMap", "cm");
        add("", "v1", "services", "Service", "svc", Trait.STATUS, Trait.ALL);
        add("", "v1", "pods", "Pod", "po", Trait.STATUS, Trait.ALL);
        add("", "v1", "events", "Event", "ev");
        add("", "v1", "serviceaccounts", "ServiceAccount", "sa");
        add("", "v1", "endpoints", "Endpoints", "ep");
        add("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", "pvc", Trait.STATUS);
        add("", "v1", "nodes", "Node", "no", Trait.CLUSTER, Trait.STATUS);
    }

    private void workloads() {
        add("apps", "v1", "deployments", "Deployment", "deploy", Trait.STATUS, Trait.ALL);
        add("apps", "v1", "replicasets", "ReplicaSet", "rs", Trait.STATUS, Trait.ALL);
        add("apps", "v1", "statefulsets", "StatefulSet", "sts", Trait.STATUS, Trait.ALL);
        add("batch", "v1", "jobs", "Job", "", Trait.STATUS, Trait.ALL);
        add("batch", "v1", "cronjobs", "CronJob", "cj", Trait.STATUS, Trait.ALL);
        add("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", "hpa", Trait.STATUS);
        add("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", "pdb", Trait.STATUS);
    }

    private void rest() {
        add("networking.k8s.io", "v1", "ingresses", "Ingress", "ing", Trait.STATUS);
        add("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", "netpol");
        add("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", "");
        add("coordination.k8s.io", "v1", "leases", "Lease", "");
        add("rbac.authorization.k8s.io", "v1", "roles", "Role", "");
        add("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", "");
        add("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", "", Trait.CLUSTER);
        add("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", "", Trait.CLUSTER);
        add("events.k8s.io", "v1", "events", "Event", "ev");
        add(CRD_GROUP, "v1", CRDS, "CustomResourceDefinition", "crd", Trait.CLUSTER, Trait.STATUS);
    }

    private enum Trait {
        CLUSTER,
        STATUS,
        ALL
    }

    private void add(String group, String version, String plural, String kind, String shortName, Trait... traits) {
        List<Trait> has = List.of(traits);
        ResourceType.Names names = new ResourceType.Names(
                plural,
                kind.toLowerCase(Locale.ROOT),
                kind,
                kind + "List",
                shortName.isEmpty() ? List.of() : List.of(shortName),
                has.contains(Trait.ALL) ? List.of("all") : List.of());
        boolean newerEvents = group.equals("events.k8s.io");
        String apiVersion = group.isEmpty() ? version : group + "/" + version;
        ObjectRules rules = BuiltInRules.of(plural);
        ServedVersion served = new ServedVersion(
                version,
                has.contains(Trait.STATUS),
                CoreTables.of(plural),
                CoreMergeSchema.ROOT,
                MissingNode.getInstance(),
                newerEvents ? new EventView() : View.renaming(apiVersion, apiVersion),
                () -> rules);
        types.add(new ResourceType(
                group, names, !has.contains(Trait.CLUSTER), newerEvents ? "" : group, List.of(served)));
    }
}
