package svc.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promise: the start outlasts an API that answers late or not at once, and says which kind an API refuses. */
class KindInstallationTest {
    private static final int KINDS = 3;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private HttpServer api;

    /** The answers to the first calls; -1 for none. Later calls succeed. */
    private List<Integer> answers = List.of();

    @BeforeEach
    void open() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setExecutor(threads);
        api.createContext("/", this::answer);
        api.start();
    }

    @AfterEach
    void close() {
        ended.countDown();
        api.stop(0);
        threads.close();
    }

    private void answer(HttpExchange call) throws IOException {
        byte[] body = call.getRequestBody().readAllBytes();
        int number = calls.size();
        calls.add(call.getRequestMethod() + " " + call.getRequestURI().getPath());
        int status = number < answers.size() ? answers.get(number) : 200;
        if (status < 0) {
            await();
            return;
        }
        call.getResponseHeaders().add("Content-Type", "application/json");
        call.sendResponseHeaders(status, body.length);
        call.getResponseBody().write(body);
        call.close();
    }

    private void await() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void install() throws IOException {
        Config access = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + api.getAddress().getPort())
                .withRequestTimeout(500)
                .withRequestRetryBackoffLimit(0)
                .build();
        new KindInstallation(access, new Progress(new PrintStream(said, true, StandardCharsets.UTF_8))).apply();
    }

    @Test
    void aCallWithoutAnAnswerIsRepeated() throws IOException {
        answers = List.of(-1, 503, 429);

        install();

        assertThat(calls).hasSize(KINDS + 1 + answers.size());
        assertThat(calls.subList(0, 4)).containsOnly(calls.getFirst());
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("did not take projects")
                .contains("trying again");
    }

    @Test
    void aRefusalEndsTheStart() {
        answers = List.of(403);

        assertThatThrownBy(this::install)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not take the kinds");
        assertThat(calls).hasSize(1);
    }
}
