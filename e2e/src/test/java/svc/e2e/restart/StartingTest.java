package svc.e2e.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.CrdCatalog;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ApiServerProcess;
import svc.e2e.platform.ControlPlane;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.embedded.kubernetes.EmbeddedKubernetes.Settings;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;

/** A process denies that a project exists only when it knows which ones do. */
class StartingTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Map<String, String> SETTINGS = Map.of(
            "svc.api.roles",
            "control,data",
            "svc.api.keys.master.1",
            Base64.getEncoder().encodeToString(new byte[32]),
            "svc.api.hosts.domain",
            "svc.example",
            "svc.api.hosts.data",
            "data.example",
            "svc.api.platform.url",
            "jdbc:postgresql://127.0.0.1:1/svc");

    private Path folder;
    private Settings place;
    private Config access;

    @BeforeEach
    void installKinds() throws Exception {
        folder = Files.createTempDirectory("svc-e2e-starting-");
        place = new Settings(Optional.of(folder), FreePort.find());
        try (var kubernetes = EmbeddedKubernetes.start(place);
                KubernetesClient admin = new KubernetesClientBuilder()
                        .withConfig(kubernetes.clientConfig())
                        .build()) {
            CrdCatalog.load().all().forEach(kind -> admin.resource(kind).create());
            access = kubernetes.clientConfig();
        }
    }

    @AfterEach
    void remove() throws IOException {
        Folders.deleteRecursively(folder);
    }

    @Test
    void beforeItKnowsThemItAsksItsCallersToWait() throws Exception {
        // Accepts connections and answers nothing, like an API server that is overloaded.
        try (var silent = new ServerSocket(place.port(), 50, InetAddress.getLoopbackAddress());
                var starting = ApiServerProcess.startAlone(access, SETTINGS, folder.resolve("api-server.log"))) {
            expectToWait(data(starting));
            expectToWait(control(starting));
            silent.close();
            try (var kubernetes = EmbeddedKubernetes.start(place)) {
                Instant limit = Instant.now().plus(LIMIT);
                Answer answer = data(starting);
                while (answer.status() == 503) {
                    assertThat(Instant.now()).as(answer.toString()).isBefore(limit);
                    expectToWait(answer);
                    Thread.sleep(100);
                    answer = data(starting);
                }
                assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
                assertThat(answer.json().get("code").asText()).isEqualTo("project_not_found");
            }
        }
    }

    private static void expectToWait(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
        assertThat(answer.json().get("code").asText()).isEqualTo("starting");
        assertThat(answer.header("retry-after")).isPresent();
        assertThat(answer.header("access-control-allow-origin")).hasValue("*");
    }

    private static Answer data(ApiServerProcess process) throws IOException {
        return ControlPlane.send(
                HttpRequest.newBuilder(process.address("/rest/v1/todos")).header("Host", "abcdefgh.data.example"));
    }

    private static Answer control(ApiServerProcess process) throws IOException {
        return ControlPlane.send(
                HttpRequest.newBuilder(process.address("/v1/projects/abcdefgh")).header("Host", "api.svc.example"));
    }
}
