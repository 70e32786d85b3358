package svc.platform.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call to an address that a tenant chose goes to a public address, once, and comes to an end. */
class EgressClientTest {
    private static final CallOwner OWNER = new CallOwner("organization", "project");
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final String PAGE = "0123456789".repeat(300);
    private static final CountDownLatch END = new CountDownLatch(1);
    private static Vertx vertx;
    private static HttpServer server;
    private static EgressClient open;
    private static EgressClient hasty;
    private static EgressClient closed;

    @BeforeAll
    static void start() throws IOException {
        vertx = Vertx.vertx();
        // As many places as there are callers and more: a connection refused for want of one is tried again after
        // seconds.
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 1024);
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        answer("/keys", 200, "{\"keys\":[]}");
        answer("/missing", 404, "no");
        answer("/page", 200, PAGE);
        answer("/long", 200, "x".repeat(5_000));
        server.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().add("Location", "/keys");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.createContext("/slow", exchange -> {
            try {
                END.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
        var loopback = new AddressRules(List.of(), List.of("127.0.0.1/32"));
        open = new EgressClient(vertx, loopback, Duration.ofSeconds(60));
        hasty = new EgressClient(vertx, loopback, Duration.ofSeconds(1));
        closed = new EgressClient(vertx, new AddressRules(List.of(), List.of()), Duration.ofSeconds(2));
    }

    @AfterAll
    static void stop() {
        END.countDown();
        open.close();
        hasty.close();
        closed.close();
        server.stop(0);
        vertx.close();
    }

    @Test
    void readsABody() throws Exception {
        assertThat(get(open, "http://127.0.0.1:" + port() + "/keys").toString()).isEqualTo("{\"keys\":[]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:%d/keys", "http://localhost:%d/keys", "http://[::1]:%d/keys",
                "http://[::ffff:127.0.0.1]:%d/keys", "http://0.0.0.0:%d/keys", "http://127.1:%d/keys",
                "http://2130706433:%d/keys", "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/",
                "http://10.0.0.1/", "http://kubernetes.default.svc/"
            })
    void aClosedAddressIsNotCalled(String address) {
        int before = CALLS.get();
        assertThatThrownBy(() -> get(closed, address.formatted(port()))).isInstanceOf(EgressFailedException.class);
        assertThat(CALLS).hasValue(before);
    }

    /** A receiver that answers nothing, and those that begin to answer and go silent. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
                "HTTP/1.1 200 OK\r\n\r\nx"
            })
    void aCallThatIsLateKeepsNoConnection(String begin) throws Exception {
        try (ServerSocket receiver = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            var call = hasty.get(OWNER, URI.create("http://127.0.0.1:" + receiver.getLocalPort() + "/"), 1_000)
                    .toCompletionStage()
                    .toCompletableFuture();
            try (Socket connection = receiver.accept()) {
                connection.setSoTimeout(30_000);
                connection.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
                assertThatThrownBy(call::join).hasCauseInstanceOf(EgressFailedException.class);
                assertThat(isClosed(connection)).isTrue();
            }
        }
    }

    /** Reads what the client has sent, up to the end of the connection. */
    private static boolean isClosed(Socket connection) throws IOException {
        try {
            connection.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException silent) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://127.0.0.1/",
                "gopher://127.0.0.1/",
                "jar:http://127.0.0.1!/",
                "keys",
                "http:///keys",
                "http://user:password@127.0.0.1/"
            })
    void onlyPlainHttpIsSpoken(String address) {
        assertThatThrownBy(() -> get(open, address))
                .isInstanceOf(EgressFailedException.class)
                .hasMessageContaining("only http and https");
    }

    /** Not only when the connection is made, which is too late to tell it from a busy platform. */
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:99999/", "http://127.0.0.1:0/", "https://[::1]:65536/"})
    void aPortThatIsNoneIsRefused(String address) {
        assertThatThrownBy(() -> get(open, address))
                .isInstanceOf(EgressFailedException.class)
                .hasMessageContaining("a port is between 1 and 65535");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/missing", "/moved", "/long"})
    void whatIsNoShortAnswerIsAFailure(String path) {
        assertThatThrownBy(() -> get(open, "http://127.0.0.1:" + port() + path))
                .isInstanceOf(EgressFailedException.class)
                .hasMessageMatching("it answered (404|302)|its answer is longer than 1000 bytes");
    }

    /** The response may arrive before the calling thread runs again. */
    @Test
    void ofManyAtOnceEachIsAnsweredWhole() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + port() + "/page");
        Callable<List<String>> caller = () -> {
            List<String> answers = new ArrayList<>();
            for (int call = 0; call < 100; call++) {
                answers.add(open.get(OWNER, address, 10_000)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(90, TimeUnit.SECONDS)
                        .toString());
            }
            return answers;
        };
        try (ExecutorService callers = Executors.newFixedThreadPool(32)) {
            for (Future<List<String>> answers : callers.invokeAll(Collections.nCopies(32, caller))) {
                assertThat(answers.get()).containsOnly(PAGE);
            }
        }
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() {
        assertThatThrownBy(() -> get(hasty, "http://127.0.0.1:" + port() + "/slow"))
                .isInstanceOf(EgressFailedException.class);
    }

    private static Buffer get(EgressClient client, String address) throws Exception {
        try {
            return client.get(OWNER, URI.create(address), 1_000)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(90, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private static int port() {
        return server.getAddress().getPort();
    }

    private static void answer(String path, int status, String body) {
        server.createContext(path, exchange -> {
            CALLS.incrementAndGet();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }
}
