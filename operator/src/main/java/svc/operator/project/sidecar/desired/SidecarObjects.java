package svc.operator.project.sidecar.desired;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import svc.crds.project.Project;
import svc.crds.project.ProjectStatus;
import svc.database.key.MasterKey;
import svc.database.key.ProjectKeyScope;
import svc.database.sql.TextHash;
import svc.operator.kubernetes.Labels;
import svc.operator.kubernetes.Ownership;
import svc.operator.pod.PodSettings;

/**
 * The Kubernetes objects of a project's realtime sidecar, in the order of creation. Ingress: the gateway only. Egress: DNS,
 * the port of the project's database, and HTTPS for published keys of token issuers; which addresses, the process checks.
 */
public record SidecarObjects(NetworkPolicy policy, Secret secret, Service service, Deployment deployment) {
    /** The value of {@link Labels#PURPOSE} on the objects and pods. */
    public static final String PURPOSE = "realtime-sidecar";

    static final int PORT = 8080;

    private static final int HTTPS = 443;
    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";
    private static final Map<String, String> GATEWAY = Map.of("app.kubernetes.io/component", "data-plane");

    /** Of Deployment, Service, Secret and NetworkPolicy. */
    public static String name(String ref) {
        return "svc-realtime-" + ref;
    }

    /**
     * The objects of a provisioned project.
     *
     * @param status as of this reconciliation
     * @param now for the key versions that are accepted
     */
    public static SidecarObjects of(
            Project project,
            ProjectStatus status,
            MasterKey master,
            ProjectKeyScope scope,
            SidecarSettings settings,
            Instant now) {
        Map<String, String> variables = SidecarSecret.variables(project, status, master, scope, now);
        ObjectMeta metadata = metadata(project, status.ref());
        return new SidecarObjects(
                policy(metadata, status, settings),
                secret(metadata, variables),
                service(metadata, status.ref()),
                SidecarDeployment.of(
                        annotated(metadata, settings.pods().settings().digest()),
                        selector(status.ref()),
                        digest(variables),
                        settings));
    }

    static Map<String, String> selector(String ref) {
        return Map.of(Labels.REF, ref, Labels.PURPOSE, PURPOSE);
    }

    private static ObjectMeta metadata(Project project, String ref) {
        return new ObjectMetaBuilder()
                .withName(name(ref))
                .withNamespace(project.getMetadata().getNamespace())
                .withLabels(Labels.of(ref, PURPOSE))
                .withOwnerReferences(Ownership.of(project))
                .build();
    }

    /** @param digest of the installation's settings that the object depends on */
    private static ObjectMeta annotated(ObjectMeta metadata, Optional<String> digest) {
        return new ObjectMetaBuilder(metadata)
                .withAnnotations(PodSettings.annotations(digest))
                .build();
    }

    private static Secret secret(ObjectMeta metadata, Map<String, String> variables) {
        Map<String, String> data = new TreeMap<>();
        variables.forEach((name, value) ->
                data.put(name, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return new SecretBuilder()
                .withMetadata(metadata)
                .withType("Opaque")
                .withData(data)
                .build();
    }

    private static Service service(ObjectMeta metadata, String ref) {
        return new ServiceBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withType("ClusterIP")
                // Headless: the gateway connects to the pod of the EndpointSlice.
                .withClusterIP("None")
                .withSelector(selector(ref))
                .addNewPort()
                .withName("http")
                .withPort(PORT)
                .withTargetPort(new IntOrString(PORT))
                .withProtocol("TCP")
                .endPort()
                .endSpec()
                .build();
    }

    private static NetworkPolicy policy(ObjectMeta metadata, ProjectStatus status, SidecarSettings settings) {
        return new NetworkPolicyBuilder()
                .withMetadata(annotated(metadata, settings.pods().nameServers().digest()))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(selector(status.ref()))
                .endPodSelector()
                .withPolicyTypes("Ingress", "Egress")
                .addNewIngress()
                .addNewFrom()
                .withNewNamespaceSelector()
                .addToMatchLabels(NAMESPACE_NAME, settings.gatewayNamespace())
                .endNamespaceSelector()
                .withNewPodSelector()
                .withMatchLabels(GATEWAY)
                .endPodSelector()
                .endFrom()
                .withPorts(port("TCP", PORT))
                .endIngress()
                .addToEgress(settings.pods().nameServers().rule(List.of()))
                .addNewEgress()
                .withPorts(port("TCP", status.database().port()), port("TCP", HTTPS))
                .endEgress()
                .endSpec()
                .build();
    }

    private static NetworkPolicyPort port(String protocol, int number) {
        return new NetworkPolicyPortBuilder()
                .withProtocol(protocol)
                .withPort(new IntOrString(number))
                .build();
    }

    /** Of 32 random bytes and more, so that it tells nothing. */
    private static String digest(Map<String, String> variables) {
        return TextHash.of(new TreeMap<>(variables).toString());
    }
}
