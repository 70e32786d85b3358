package svc.embedded.pods.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.TestApi.await;

import java.net.SocketException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import svc.embedded.pods.FunctionsTest;
import svc.embedded.pods.SocketClient;

/** Deployments of functions become processes, and their status is reported as on a cluster. */
class FunctionLifecycleTest extends FunctionsTest {
    private static String saying(String text) {
        return "export default () => new Response('%s');".formatted(text);
    }

    @Test
    void aFunctionIsStartedScaledToNothingAndBack() throws Exception {
        deploy("scaled", saying("hello"));
        assertThat(call("scaled", "/").body()).isEqualTo("hello");
        await("the status says so", () -> {
            var status = client.apps()
                    .deployments()
                    .inNamespace(NAMESPACE)
                    .withName("scaled")
                    .get()
                    .getStatus();
            return Integer.valueOf(1).equals(status.getReadyReplicas())
                    && status.getConditions().stream()
                            .anyMatch(condition -> condition.getType().equals("Available")
                                    && condition.getStatus().equals("True"));
        });
        await(
                "the pod is ready",
                () -> pods("scaled").stream()
                        .anyMatch(pod -> "Running".equals(pod.getStatus().getPhase())
                                && pod.getStatus()
                                        .getContainerStatuses()
                                        .getFirst()
                                        .getReady()));
        scale("scaled", 0);
        await(
                "nothing is left",
                () -> endpoints("scaled").isEmpty() && pods("scaled").isEmpty() && !Files.exists(socket("scaled")));
        scale("scaled", 1);
        await("it serves again", () -> endpoints("scaled").equals(List.of("0.sock")));
        assertThat(call("scaled", "/").body()).isEqualTo("hello");
    }

    @Test
    void aNewVersionTakesOverWithoutARefusedCall() throws Exception {
        deploy("rolled", saying("one"));
        var failure = new AtomicReference<Exception>();
        var done = new AtomicBoolean();
        Thread caller = Thread.ofVirtual().start(() -> {
            while (!done.get()) {
                try {
                    List<String> sockets = endpoints("rolled");
                    assertThat(sockets).isNotEmpty();
                    var reply = SocketClient.get(socket("rolled").resolveSibling(sockets.getFirst()), "/");
                    assertThat(reply.status()).isEqualTo(200);
                } catch (SocketException e) {
                    // Read just before it was taken away: a gateway, which watches, tries the next.
                    continue;
                } catch (Exception | AssertionError e) {
                    failure.compareAndSet(null, new Exception(e));
                }
            }
        });
        declare("rolled", saying("two"), Map.of(), 1);
        await("only the new version serves", () -> endpoints("rolled").equals(List.of("1.sock")));
        done.set(true);
        caller.join();
        assertThat(failure.get()).isNull();
        assertThat(SocketClient.get(socket("rolled").resolveSibling("1.sock"), "/")
                        .body())
                .isEqualTo("two");
    }

    @Test
    void aProcessThatDiesIsStartedAgainAndItsEndIsReported() throws Exception {
        deploy("dying", saying("alive"));
        long before = processes("dying").getFirst().pid();
        processes("dying").getFirst().destroyForcibly();
        await(
                "another serves",
                () -> processes("dying").stream().anyMatch(process -> process.pid() != before)
                        && endpoints("dying").size() == 1);
        assertThat(call("dying", "/").body()).isEqualTo("alive");
        await("its end is told", () -> {
            var status =
                    pods("dying").getFirst().getStatus().getContainerStatuses().getFirst();
            return status.getRestartCount() == 1
                    && status.getLastState().getTerminated().getExitCode() == 137;
        });
    }

    @Test
    void aDeletedPodIsReplacedAndADeletedDeploymentLeavesNothing() throws Exception {
        deploy("deleted", saying("alive"));
        long before = processes("deleted").getFirst().pid();
        client.pods().inNamespace(NAMESPACE).withLabel("function", "deleted").delete();
        await(
                "another process",
                () -> processes("deleted").stream().allMatch(process -> process.pid() != before)
                        && endpoints("deleted").size() == 1);
        client.apps().deployments().inNamespace(NAMESPACE).withName("deleted").delete();
        await(
                "nothing is left",
                () -> processes("deleted").isEmpty() && pods("deleted").isEmpty());
    }

    @Test
    void aMissingSecretIsSaidAndTheFunctionStartsWhenItComes() throws Exception {
        declare("waiting", saying("here"), Map.of(), 0);
        var secret =
                client.secrets().inNamespace(NAMESPACE).withName("waiting-env").get();
        client.resource(secret).delete();
        scale("waiting", 1);
        await(
                "the pod says what is missing",
                () -> pods("waiting").stream()
                        .anyMatch(pod -> pod.getStatus().getContainerStatuses() != null
                                && pod.getStatus()
                                        .getContainerStatuses()
                                        .getFirst()
                                        .getState()
                                        .getWaiting()
                                        .getMessage()
                                        .contains("waiting-env")));
        secret.getMetadata().setResourceVersion(null);
        client.resource(secret).create();
        await("it serves", () -> endpoints("waiting").size() == 1);
        assertThat(call("waiting", "/").body()).isEqualTo("here");
    }

    private static List<ProcessHandle> processes(String name) {
        return ProcessHandle.allProcesses()
                .filter(svc.embedded.process.Orphan.runsWith(
                        socket(name).getParent().toString()))
                .filter(process -> process.info().command().orElse("").endsWith("deno"))
                .toList();
    }
}
