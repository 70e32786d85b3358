package svc.platform.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names whose servers never answer delay nobody but their own calls. */
class SlowNamesTest {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] INSIDE = {10, 0, 0, 1};

    private final AtomicInteger queries = new AtomicInteger();
    private Vertx vertx;
    private HttpServer web;
    private DatagramSocket names;
    private EgressClient client;

    @BeforeEach
    void start() throws IOException {
        vertx = Vertx.vertx();
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        web = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        web.start();
        names = new DatagramSocket(0, loopback);
        Thread.ofVirtual().start(this::serveNames);
        client = new EgressClient(
                vertx,
                new AddressRules(List.of(), List.of("127.0.0.1/32")),
                Duration.ofSeconds(20),
                List.of(new InetSocketAddress(loopback, names.getLocalPort())));
    }

    @AfterEach
    void stop() {
        client.close();
        names.close();
        web.stop(0);
        vertx.close();
    }

    /** Never answers for names that begin with slow; good.* is loopback, inside.* a private address. */
    private void serveNames() {
        try {
            while (true) {
                var packet = new DatagramPacket(new byte[512], 512);
                names.receive(packet);
                queries.incrementAndGet();
                byte[] query = Arrays.copyOf(packet.getData(), packet.getLength());
                String name = new String(query, 13, query[12], StandardCharsets.US_ASCII);
                if (!name.startsWith("slow")) {
                    byte[] answer = answer(query, name.equals("good") ? LOOPBACK : INSIDE);
                    names.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    /** RFC 1035 §4: the question again, and for type A one record that points to its name. */
    private static byte[] answer(byte[] query, byte[] address) {
        int end = 12;
        while (query[end] != 0) {
            end += query[end] + 1;
        }
        int question = end + 5;
        boolean ofTypeA = query[end + 2] == 1;
        var out = ByteBuffer.allocate(question + 16);
        out.put(query, 0, question);
        out.putShort(2, (short) 0x8180).putShort(6, (short) (ofTypeA ? 1 : 0));
        out.putShort(8, (short) 0).putShort(10, (short) 0);
        if (ofTypeA) {
            out.putShort((short) 0xC00C)
                    .putShort((short) 1)
                    .putShort((short) 1)
                    .putInt(60)
                    .putShort((short) 4);
            out.put(address);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private Future<Buffer> get(String host) {
        return client.get(URI.create("http://" + host + ":" + web.getAddress().getPort() + "/"), 100);
    }

    private static <T> T ended(Future<T> call) {
        return call.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void aNeighboursCallIsServedWhileAHundredNamesAreSilent() {
        List<Future<Buffer>> slow = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slow.add(get("slow" + i + ".test"));
            slow.add(get("slow" + i + ".test"));
        }
        assertThat(ended(get("good.test")).toString(StandardCharsets.US_ASCII)).isEqualTo("ok");
        // Every one of them is still waiting: no thread and no place was taken from the neighbour.
        assertThat(slow).noneMatch(Future::isComplete);
    }

    @Test
    void aNameIsLookedUpOnceAtATime() {
        List<Future<Buffer>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            calls.add(get("good.test"));
        }
        calls.forEach(SlowNamesTest::ended);
        // A and AAAA, of the name alone or with the search domains of the machine.
        assertThat(queries.get()).isLessThan(50);
    }

    @Test
    void anAddressInsideIsRefused() {
        assertThatThrownBy(() -> ended(get("inside.test"))).hasMessageContaining("not public");
        assertThatThrownBy(() -> ended(get("no..name"))).isInstanceOf(Exception.class);
    }
}
