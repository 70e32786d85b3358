package svc.chart.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The platform as its images and its chart make it, in real pods on a whole node: {@code ./svc test --node}. What is not as
 * in production: there is one node, and no Ingress.
 */
@ExtendWith(SharedNode.class)
@EnabledIfSystemProperty(
        named = "svc.test.node",
        matches = ".+",
        disabledReason = "it takes a whole node: ./svc test --node")
class WholeNodeTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String ROW = "[{\"id\":1,\"title\":\"it works\"}]";

    private final RunningNode node;
    private final InstalledPlatform platform;
    private final KubernetesClient client;

    WholeNodeTest(RunningNode node) {
        this.node = node;
        this.platform = node.platform();
        this.client = node.client();
    }

    @Test
    void installedByHelmEveryPodIsReadyWithoutRootAndWithoutAWritableDisk() {
        for (String component : InstalledPlatform.COMPONENTS) {
            assertThat(platform.pods(component))
                    .isNotEmpty()
                    .allSatisfy(WholeNodeTest::runsUnprivilegedOnAReadOnlyRoot);
        }
    }

    @Test
    void theChartsOwnTestSucceeds() {
        assertThat(platform.test(node.machine().kubeconfig()).getStatus()).isEqualTo("deployed");
    }

    @Test
    void aProjectAppliedWithKubectlAnswersThroughTheService() throws Exception {
        Shop shop = shop("applied");

        assertThat(shop.ask(Shop.ROWS)).isEqualTo(ROW);
    }

    @Test
    void aDeployedFunctionAnswersFromAPodOfItsOwn() throws Exception {
        Shop shop = shop("calling");
        shop.deploy("hello");

        assertThat(shop.ask(Shop.FUNCTION)).isEqualTo("hello");
        assertThat(functionPods(shop)).isNotEmpty().allSatisfy(WholeNodeTest::runsUnprivilegedOnAReadOnlyRoot);
    }

    @Test
    void aFunctionWithoutAPodIsStartedByTheNextCall() throws Exception {
        Shop shop = shop("sleeping");
        shop.deploy("awake");
        shop.ask(Shop.FUNCTION);
        client.apps().deployments().inNamespace(Shop.NAMESPACE).list().getItems().stream()
                .filter(deployment -> deployment.getMetadata().getName().contains(shop.ref()))
                .forEach(deployment -> client.resource(deployment).scale(0));
        Waiting.until("no pod of it is left", LIMIT, () -> functionPods(shop).isEmpty());

        assertThat(shop.ask(Shop.FUNCTION)).isEqualTo("awake");
        assertThat(functionPods(shop)).isNotEmpty();
    }

    @Test
    void noRequestFailsWhileTheDataPlaneIsReplaced() throws Exception {
        Shop shop = shop("busy");

        String[] deployment = {"deployment/svc-data-plane", "-n", InstalledPlatform.NAMESPACE};
        nothingFailsWhile(
                "the data plane is replaced",
                shop.load(Shop.ROWS),
                () -> platform.pods("data-plane"),
                () -> node.kubectl().run("", words("rollout", "restart", deployment)),
                () -> node.kubectl()
                        .run("", words("rollout", "status", deployment))
                        .contains("successfully rolled out"));
    }

    @Test
    void afterAPowerCutTheSameProjectItsRowsAndItsFunctionAnswer() throws Exception {
        Shop shop = shop("lasting");
        shop.deploy("hello");
        shop.ask(Shop.FUNCTION);

        node.machine().cutPower();
        Instant on = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        node.machine().start();

        for (String component : InstalledPlatform.COMPONENTS) {
            Waiting.until(
                    component + " runs again",
                    LIMIT,
                    () -> platform.pods(component).stream().allMatch(pod -> isReadySince(pod, on)));
        }
        Waiting.until("the rows answer", LIMIT, () -> shop.answers(Shop.ROWS));
        assertThat(shop.ask(Shop.ROWS)).isEqualTo(ROW);
        Waiting.until("the function answers", LIMIT, () -> shop.answers(Shop.FUNCTION));
        assertThat(shop.ask(Shop.FUNCTION)).isEqualTo("hello");
        node.say("everything answers again after " + RunningNode.since(on));
    }

    /** Something that is done to a cluster. */
    private interface Act {
        void run() throws Exception;
    }

    private void nothingFailsWhile(
            String what, SteadyLoad load, Supplier<List<Pod>> pods, Act replace, Callable<Boolean> done)
            throws Exception {
        try (load) {
            load.goesOn();
            List<String> before = names(pods.get());
            replace.run();
            Waiting.until(what, LIMIT, done);
            Waiting.until(
                    "no pod of before is left",
                    LIMIT,
                    () -> names(pods.get()).stream().noneMatch(before::contains));
            load.goesOn();
        }
        node.say("requests while " + what + ": " + load.answered() + ", failed: "
                + load.failures().size());
        assertThat(load.failures()).isEmpty();
    }

    private Shop shop(String name) throws Exception {
        return Shop.open(name, platform, node.kubectl());
    }

    private List<Pod> functionPods(Shop shop) {
        return platform.functionPods(shop.ref());
    }

    private static List<String> names(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getName()).toList();
    }

    private static void runsUnprivilegedOnAReadOnlyRoot(Pod pod) {
        assertThat(pod.getStatus().getContainerStatuses()).allMatch(container -> container.getReady());
        assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSpec().getContainers())
                .allMatch(container -> container.getSecurityContext().getReadOnlyRootFilesystem());
    }

    private static boolean isReadySince(Pod pod, Instant on) {
        return pod.getStatus().getContainerStatuses().stream()
                .allMatch(container -> container.getReady()
                        && !Instant.parse(container.getState().getRunning().getStartedAt())
                                .isBefore(on));
    }

    private static String[] words(String first, String second, String... others) {
        return Stream.concat(Stream.of(first, second), Stream.of(others)).toArray(String[]::new);
    }
}
