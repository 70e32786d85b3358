package svc.operator.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.SECOND;
import static svc.operator.function.TestingFunctions.because;
import static svc.operator.function.TestingFunctions.condition;

import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.project.database.ResourceAmounts;
import svc.crds.project.database.ResourcesSpec;
import svc.crds.reference.LocalReference;
import svc.operator.testing.TestingOperator;

/** The installation's settings for pods, in the pods of functions; the tenant has none but resources within a maximum. */
class ManagedPodsTest {
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("image-pull-secrets", "registry,mirror"),
            Map.entry("runtime-class", "gvisor"),
            Map.entry("priority-class", "functions"),
            Map.entry("node-selector", "{\"pool\": \"functions\"}"),
            Map.entry("tolerations", "[{\"key\": \"pool\", \"value\": \"functions\", \"effect\": \"NoSchedule\"}]"),
            Map.entry(
                    "affinity",
                    "{\"nodeAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": {\"nodeSelectorTerms\":"
                            + " [{\"matchExpressions\": [{\"key\": \"arch\", \"operator\": \"In\", \"values\": [\"a\"]}]}]}}}"),
            Map.entry(
                    "topology-spread-constraints",
                    "[{\"maxSkew\": 1, \"topologyKey\": \"zone\", \"whenUnsatisfiable\": \"ScheduleAnyway\"}]"),
            // As OpenShift needs it: the namespace has a range of users.
            Map.entry(
                    "pod-security-context",
                    "{\"runAsNonRoot\": true, \"seccompProfile\": {\"type\": \"RuntimeDefault\"}}"),
            Map.entry(
                    "dns-to",
                    "[{\"namespaceSelector\": {\"matchLabels\": {\"kubernetes.io/metadata.name\": \"openshift-dns\"}}},"
                            + " {\"ipBlock\": {\"cidr\": \"169.254.20.10/32\"}}]"),
            Map.entry("dns-port", "5353"),
            Map.entry("ephemeral-storage-request", "32Mi"),
            Map.entry("ephemeral-storage-limit", "128Mi"),
            Map.entry("max-cpu", "2"),
            Map.entry("max-memory", "512Mi"));

    private static TestingOperator operator;
    private static TestingFunctions functions;

    @BeforeAll
    static void start() {
        operator = TestingOperator.prepared();
        SETTINGS.forEach((key, value) -> operator.with("svc.managed-pods." + key, value));
        operator.start();
        functions = new TestingFunctions(operator);
        operator.create("shop");
        operator.ready("shop");
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    @Test
    void theyAreInThePodAndGoWhenTheyAreTakenBack() {
        functions.create("placed", "shop", "placed", FIRST);
        PodSpec pod = pod(functions.running("placed", FIRST));

        assertThat(pod.getImagePullSecrets())
                .extracting(LocalObjectReference::getName)
                .containsExactly("registry", "mirror");
        assertThat(pod.getRuntimeClassName()).isEqualTo("gvisor");
        assertThat(pod.getPriorityClassName()).isEqualTo("functions");
        assertThat(pod.getNodeSelector()).isEqualTo(Map.of("pool", "functions"));
        assertThat(pod.getTolerations())
                .singleElement()
                .satisfies(toleration -> assertThat(toleration.getEffect()).isEqualTo("NoSchedule"));
        assertThat(pod.getAffinity().getNodeAffinity()).isNotNull();
        assertThat(pod.getTopologySpreadConstraints())
                .singleElement()
                .satisfies(
                        constraint -> assertThat(constraint.getLabelSelector().getMatchLabels())
                                .isEqualTo(Map.of("svc.platform/function", "fn-placed")));
        assertThat(pod.getSecurityContext().getRunAsUser()).isNull();
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        var container = pod.getContainers().getFirst();
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getResources().getRequests()).containsEntry("ephemeral-storage", new Quantity("32Mi"));
        assertThat(container.getResources().getLimits()).containsEntry("ephemeral-storage", new Quantity("128Mi"));
        assertThat(pod.getVolumes().getFirst().getEmptyDir().getSizeLimit()).isEqualTo(new Quantity("128Mi"));
        NetworkPolicyEgressRule dns = policy("placed").getSpec().getEgress().getFirst();
        assertThat(dns.getTo()).hasSize(2);
        assertThat(dns.getTo().get(1).getIpBlock().getCidr()).isEqualTo("169.254.20.10/32");
        assertThat(dns.getPorts())
                .allSatisfy(port -> assertThat(port.getPort().getIntVal()).isEqualTo(5353));

        operator.stop();
        SETTINGS.keySet().stream()
                .filter(key -> !key.equals("dns-port"))
                .forEach(key -> operator.with("svc.managed-pods." + key, ""));
        operator.with("svc.managed-pods.dns-port", "53").start();

        PodSpec plain = pod(functions.deployment(
                "placed", found -> pod(found).getTolerations().isEmpty()));
        assertThat(plain.getImagePullSecrets()).isEmpty();
        assertThat(plain.getRuntimeClassName()).isNull();
        assertThat(plain.getPriorityClassName()).isNull();
        assertThat(plain.getNodeSelector()).isNullOrEmpty();
        assertThat(plain.getAffinity()).isNull();
        assertThat(plain.getTopologySpreadConstraints()).isEmpty();
        assertThat(plain.getSecurityContext().getRunAsUser()).isEqualTo(65_532);
        await().atMost(TestingOperator.LIMIT)
                .until(() -> policy("placed")
                                .getSpec()
                                .getEgress()
                                .getFirst()
                                .getPorts()
                                .getFirst()
                                .getPort()
                                .getIntVal()
                        == 53);
        // They are back for the other tests.
        operator.stop();
        SETTINGS.forEach((key, value) -> operator.with("svc.managed-pods." + key, value));
        operator.start();
    }

    @Test
    void aTenantHasResourcesUpToTheMaximumAndKeepsWhatRuns() {
        functions.create("modest", resources("modest", FIRST, "1.5", "512Mi"));
        Deployment modest = functions.running("modest", FIRST);
        assertThat(pod(modest).getContainers().getFirst().getResources().getLimits())
                .containsEntry("cpu", new Quantity("1500m"));

        functions.edit("modest", spec -> resources("modest", SECOND, "1.5", "1Gi"));

        EdgeFunction refused = functions.await("modest", because("ResourcesTooLarge"));
        assertThat(condition(refused, "Available").message())
                .isEqualTo(
                        "spec.resources.limits.memory is 1Gi, and this installation allows 512Mi: lower it, or ask an"
                                + " admin to raise managedPods.maxResources.");
        assertThat(condition(refused, "Stalled").status()).isEqualTo(ConditionStatus.TRUE);
        functions.running("modest", FIRST);
        operator.awaitEvent("modest", "ResourcesTooLarge");

        functions.edit("modest", spec -> resources("modest", SECOND, "1.5", "256Mi"));
        functions.running("modest", SECOND);
        functions.await(
                "modest",
                now -> now.getStatus().conditions().stream()
                        .noneMatch(found -> found.type().equals("Stalled")));
    }

    private static EdgeFunctionSpec resources(String name, String hash, String cpu, String memory) {
        return new EdgeFunctionSpec(
                new LocalReference("shop"),
                name,
                null,
                null,
                hash,
                null,
                null,
                new ResourcesSpec(null, new ResourceAmounts(new Quantity(cpu), new Quantity(memory))),
                null);
    }

    private static PodSpec pod(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec();
    }

    private static NetworkPolicy policy(String resource) {
        return operator.client()
                .network()
                .v1()
                .networkPolicies()
                .inNamespace(operator.namespace())
                .withName("fn-" + resource)
                .get();
    }
}
