package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Yaml;

/**
 * The program of {@code helm test}, run by the Deno of the image, leaves no project behind, however it ends. The planes are a
 * fake that keeps projects; the whole ones are those of {@code WholeNodeTest}.
 */
class HelmTestProjectTest {
    private static final Path DENO = Chart.REPOSITORY.resolve("sandbox/node_modules/@deno/linux-x64-glibc/deno");
    private static final int PATIENCE_MILLIS = 60_000;
    private static final String OTHERS = "{\"ref\":\"shop2345\",\"name\":\"helm-test\"}";

    private final Map<String, String> projects = new ConcurrentHashMap<>();
    private final AtomicReference<String> created = new AtomicReference<>();
    private HttpServer planes;
    private String state = "ACTIVE_HEALTHY";
    private boolean answerIsLost;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Files.isExecutable(DENO), "the programs of the sandbox are not prepared: ./svc build");
        projects.put("shop2345", OTHERS);
        serveAt(0);
    }

    private void serveAt(int port) throws IOException {
        planes = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        planes.createContext("/status", call -> answer(call, 200, "{\"status\":\"ok\"}"));
        planes.createContext("/q/health/ready", call -> answer(call, 200, "{}"));
        planes.createContext("/v1/projects", this::projects);
        planes.start();
    }

    @AfterEach
    void stop() {
        if (planes != null) {
            planes.stop(0);
        }
    }

    private void projects(HttpExchange call) throws IOException {
        if (!"Bearer svc_pat".equals(call.getRequestHeaders().getFirst("authorization"))) {
            answer(call, 401, "{}");
            return;
        }
        switch (call.getRequestMethod()) {
            case "POST" -> create(call);
            case "DELETE" -> {
                String ref = call.getRequestURI().getPath().replace("/v1/projects/", "");
                answer(call, projects.remove(ref) == null ? 404 : 200, "{}");
            }
            default -> answer(call, 200, "[" + String.join(",", projects.values()) + "]");
        }
    }

    private void create(HttpExchange call) throws IOException {
        created.set(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String name = Yaml.parse(created.get()).path("name").asText();
        String project = "{\"ref\":\"test2345\",\"name\":\"%s\",\"status\":\"%s\"}".formatted(name, state);
        projects.put("test2345", project);
        answer(call, answerIsLost ? 504 : 201, "{\"project\":" + project + "}");
    }

    private static void answer(HttpExchange call, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(status, bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }

    private int test(String token) throws IOException, InterruptedException {
        return start(token).waitFor();
    }

    private Process start(String token) throws IOException {
        String program = Files.readString(Chart.FOLDER.resolve("files/platform-answers.js"));
        var builder = new ProcessBuilder(DENO.toString(), "eval", "--no-config", program).inheritIO();
        String address = "http://127.0.0.1:" + planes.getAddress().getPort();
        builder.environment().putAll(Map.of("CONTROL_PLANE", address, "DATA_PLANE", address, "NO_COLOR", "1"));
        if (!token.isEmpty()) {
            builder.environment().put("TOKEN", token);
        }
        return builder.start();
    }

    @Test
    void itsProjectIsDeletedWithItsData() throws Exception {
        assertThat(test("svc_pat")).isZero();
        assertThat(Yaml.parse(created.get()).path("deletion_policy").asText()).isEqualTo("Delete");
        assertThat(projects).containsOnlyKeys("shop2345");
    }

    @Test
    void aProjectThatDoesNotBecomeReadyIsDeletedAsWell() throws Exception {
        state = "COMING_UP";

        assertThat(test("svc_pat")).isNotZero();
        assertThat(projects).containsOnlyKeys("shop2345");
    }

    @Test
    void soIsOneWhoseAnswerIsLost() throws Exception {
        answerIsLost = true;

        assertThat(test("svc_pat")).isNotZero();
        assertThat(projects).containsOnlyKeys("shop2345");
    }

    @Test
    void withoutATokenItCreatesNone() throws Exception {
        assertThat(test("")).isZero();
        assertThat(created.get()).isNull();
    }

    /** As NetworkPolicies do while the network plugin does not know the pod yet. */
    @Test
    void connectionsThatAreRefusedAtFirstAreTriedAgain() throws Exception {
        int port = planes.getAddress().getPort();
        planes.stop(0);
        Process test;
        try (var refusing = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            refusing.setSoTimeout(PATIENCE_MILLIS);
            test = start("");
            refusing.accept().close();
            refusing.accept().close();
        }
        serveAt(port);

        assertThat(test.waitFor()).isZero();
    }
}
