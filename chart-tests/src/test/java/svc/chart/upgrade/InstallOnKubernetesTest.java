package svc.chart.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.StrictModel;
import svc.chart.support.Yaml;
import svc.embedded.cluster.ControlPlane;

/**
 * Kubernetes' own API server takes what the chart makes: an installation, upgrades from one value set to another, and the
 * end, which leaves what holds data. Needs a program with the control plane, as the operator's tests on it do.
 */
@EnabledIfSystemProperty(
        named = "testing.kubernetes",
        matches = ".+",
        disabledReason = "there is no program with Kubernetes' own control plane")
class InstallOnKubernetesTest {
    private static final String RELEASE = Chart.RELEASE;
    private static final String NAMESPACE = Chart.NAMESPACE;

    /** Without kinds of others. */
    private static final List<String> UPGRADES = List.of("ha", "ingress-tls", "cluster-wide", "trial", "default");

    private static final String PROJECTS = NAMESPACE + "-projects";

    private static final Duration PROPAGATION = Duration.ofSeconds(90);

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static Path kubeconfig;

    @BeforeAll
    static void start() throws Exception {
        Path program = Path.of(System.getProperty("testing.kubernetes"));
        assumeTrue(Files.isExecutable(program), "the kinds of somebody's cluster are not ours to install and remove");
        plane = ControlPlane.start(program);
        kubeconfig = plane.auditLog().resolveSibling("admin.kubeconfig");
        client = new KubernetesClientBuilder().withConfig(plane.adminConfig()).build();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build())
                .create();
        // Named by the value set with many pods.
        client.resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("platform")
                        .endMetadata()
                        .withValue(1_000)
                        .build())
                .create();
    }

    @AfterAll
    static void stop() {
        if (plane != null) {
            client.close();
            plane.close();
        }
    }

    @Test
    void itIsInstalledUpgradedAndRemovedAndDataStays() throws Exception {
        new Helm(Chart.FOLDER)
                .install()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .withValuesFile(Chart.valueSet("default"))
                .call();
        assertThat(client.apps().deployments().inNamespace(NAMESPACE).list().getItems())
                .hasSize(3);
        theirPodsAreAdmitted("default");
        theServerStoresWhatIsRendered("default");
        rightsEndWithTheServedNamespaces(false);
        autoscalingStartsFromThePodsThatThereAre();

        for (String set : UPGRADES) {
            upgrade(set);
            theirPodsAreAdmitted(set);
            theServerStoresWhatIsRendered(set);
            rightsEndWithTheServedNamespaces(set.equals("cluster-wide"));
            for (JsonNode scaler : Chart.render(Chart.valueSet(set)).ofKind("HorizontalPodAutoscaler")) {
                assertThat(client.autoscaling()
                                .v2()
                                .horizontalPodAutoscalers()
                                .inNamespace(NAMESPACE)
                                .withName(Rendering.name(scaler))
                                .get())
                        .isNotNull();
            }
        }

        Helm.uninstall(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .call();
        assertThat(client.apps().deployments().inNamespace(NAMESPACE).list().getItems())
                .isEmpty();
        assertThat(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .list()
                        .getItems())
                .hasSize(3);
        assertThat(client.namespaces().withName(NAMESPACE + "-projects").get()).isNotNull();
    }

    private static void upgrade(String set) {
        new Helm(Chart.FOLDER)
                .upgrade()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .resetValues()
                .withValuesFile(Chart.valueSet(set))
                .call();
    }

    private static void theServerStoresWhatIsRendered(String set) throws Exception {
        String text = Chart.text(Chart.valueSet(set));
        new StoredObjects(client, kubeconfig).equal(Rendering.of(text), text);
    }

    /** No scaler runs here: what the Deployment has is what Helm made of it. */
    private static void autoscalingStartsFromThePodsThatThereAre() {
        var plane = client.apps().deployments().inNamespace(NAMESPACE).withName(RELEASE + "-data-plane");
        for (int pods : new int[] {5, 7}) {
            plane.scale(pods);
            upgrade("ha");
            assertThat(plane.get().getSpec().getReplicas()).isEqualTo(pods);
        }
        upgrade("default");
        assertThat(plane.get().getSpec().getReplicas()).isEqualTo(2);
    }

    /**
     * The server's own judgement about what an attacker in a pod could do with its account. After an upgrade, too: a
     * binding that was left behind would grant what the values no longer say.
     */
    private static void rightsEndWithTheServedNamespaces(boolean everywhere) throws InterruptedException {
        long end = System.nanoTime() + PROPAGATION.toNanos();
        while (true) {
            try {
                expectRights(everywhere);
                return;
            } catch (AssertionError tooEarly) {
                // The server learns of roles and bindings by a watch.
                if (System.nanoTime() > end) {
                    throw tooEarly;
                }
                Thread.sleep(50);
            }
        }
    }

    private static void expectRights(boolean everywhere) {
        assertThat(may("data-plane", "patch", "apps", "deployments/scale", PROJECTS))
                .isTrue();
        assertThat(may("data-plane", "patch", "apps", "deployments", PROJECTS)).isFalse();
        assertThat(may("data-plane", "get", "", "secrets", PROJECTS)).isFalse();
        assertThat(may("control-plane", "get", "", "secrets", PROJECTS)).isTrue();
        assertThat(may("control-plane", "list", "", "secrets", PROJECTS)).isFalse();
        assertThat(may("operator", "list", "svc.platform", "projects", PROJECTS))
                .isTrue();
        assertThat(may("operator", "create", "", "secrets", NAMESPACE)).isTrue();
        for (String elsewhere : List.of(NAMESPACE, "kube-system", "default", "")) {
            assertThat(may("data-plane", "patch", "apps", "deployments/scale", elsewhere))
                    .isEqualTo(everywhere);
            assertThat(may("data-plane", "patch", "apps", "deployments", elsewhere))
                    .isFalse();
            assertThat(may("control-plane", "get", "", "secrets", elsewhere)).isEqualTo(everywhere);
            assertThat(may("control-plane", "list", "svc.platform", "projects", elsewhere))
                    .isEqualTo(everywhere);
            assertThat(may("operator", "create", "apps", "deployments", elsewhere))
                    .isEqualTo(everywhere);
            assertThat(may("operator", "list", "", "secrets", elsewhere)).isEqualTo(everywhere);
        }
    }

    /** @param namespace empty: in all */
    private static boolean may(String component, String verb, String group, String resource, String namespace) {
        String[] parts = resource.split("/");
        var review = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser("system:serviceaccount:" + NAMESPACE + ":" + RELEASE + "-" + component)
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(group)
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : "")
                .withNamespace(namespace)
                .endResourceAttributes()
                .endSpec()
                .build();
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed();
    }

    /** The server knows rules about networks and their holes that the types do not say. */
    @Test
    void itAcceptsThePoliciesOfEveryValueSet() {
        Chart.valueSets()
                .forEach(set -> Chart.render(set).ofKind("NetworkPolicy").forEach(policy -> {
                    HasMetadata typed = StrictModel.read(policy).orElseThrow();
                    typed.getMetadata().setName("dry-run-" + typed.getMetadata().getName());
                    assertThat(client.resource(typed).dryRun().create()).isNotNull();
                }));
    }

    /** In a namespace that enforces the restricted standard, by the server's own judgement. */
    private static void theirPodsAreAdmitted(String set) {
        for (String component : List.of("operator", "control-plane", "data-plane")) {
            JsonNode template =
                    Chart.render(Chart.valueSet(set)).deployment(component).at("/spec/template");
            Pod pod = Yaml.JSON.convertValue(template, Pod.class);
            pod.getMetadata().setGenerateName(component + "-");
            Pod admitted =
                    client.pods().inNamespace(NAMESPACE).resource(pod).dryRun().create();
            assertThat(admitted.getSpec().getContainers()).hasSize(1);
        }
    }
}
