package svc.realtime.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.realtime.bus.ProjectBus.Kind;
import svc.realtime.bus.ProjectBus.Listener;

/** Messages of a project reach the listeners of every process, and no other project's. */
@Timeout(60)
class ProjectBusTest {
    private static Vertx vertx;
    private static EmbeddedRedis server;
    private static Redis client;

    private final UUID project = UUID.randomUUID();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> interruptions = new LinkedBlockingQueue<>();
    private RedisProjectBus here;
    private RedisProjectBus there;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        server = EmbeddedRedis.forTests();
        client = Redis.createClient(vertx, server.url());
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        server.close();
    }

    @BeforeEach
    void open() {
        here = new RedisProjectBus(vertx, Redis.createClient(vertx, server.url()));
        there = new RedisProjectBus(vertx, Redis.createClient(vertx, server.url()));
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private Listener listen(ProjectBus bus, Kind kind) {
        return await(bus.listen(
                project, kind, message -> received.add(message.toString()), () -> interruptions.add("interrupted")));
    }

    private static String next(BlockingQueue<String> queue) throws InterruptedException {
        return queue.poll(20, TimeUnit.SECONDS);
    }

    @Test
    void aMessageReachesTheListenersOfEveryProcessOnceAndInOrder() throws InterruptedException {
        BlockingQueue<String> own = new LinkedBlockingQueue<>();
        listen(there, Kind.BROADCAST);
        await(here.listen(project, Kind.BROADCAST, message -> own.add(message.toString()), () -> {}));

        IntStream.range(0, 500)
                .forEach(number -> here.publish(project, Kind.BROADCAST, Buffer.buffer(Integer.toString(number))));
        await(here.publish(project, Kind.BROADCAST, Buffer.buffer("last")));

        for (BlockingQueue<String> queue : List.of(received, own)) {
            for (int number = 0; number < 500; number++) {
                assertThat(next(queue)).isEqualTo(Integer.toString(number));
            }
            assertThat(next(queue)).isEqualTo("last");
        }
        // What follows would arrive after a message of its own that Redis sent back.
        await(there.publish(project, Kind.BROADCAST, Buffer.buffer("from there")));
        assertThat(next(own)).isEqualTo("from there");
    }

    @Test
    void otherProjectsAndOtherKindsAreSilent() throws InterruptedException {
        listen(there, Kind.PRESENCE);

        await(here.publish(UUID.randomUUID(), Kind.PRESENCE, Buffer.buffer("another project's")));
        await(here.publish(project, Kind.BROADCAST, Buffer.buffer("another kind")));
        await(here.publish(project, Kind.PRESENCE, Buffer.buffer("this")));

        assertThat(next(received)).isEqualTo("this");
    }

    @Test
    void aClosedListenerReceivesNothingAndTheNextOneAll() throws InterruptedException {
        listen(there, Kind.BROADCAST).close();
        Listener again = listen(there, Kind.BROADCAST);
        await(here.publish(project, Kind.BROADCAST, Buffer.buffer("once")));
        assertThat(next(received)).isEqualTo("once");
        again.close();

        BlockingQueue<String> others = new LinkedBlockingQueue<>();
        await(there.listen(project, Kind.BROADCAST, message -> others.add(message.toString()), () -> {}));
        await(here.publish(project, Kind.BROADCAST, Buffer.buffer("twice")));
        assertThat(next(others)).isEqualTo("twice");
        assertThat(received).isEmpty();
    }

    @Test
    void aLostConnectionIsSaidAndRestored() throws InterruptedException {
        listen(there, Kind.CHANGES);
        await(client.send(Request.cmd(Command.CLIENT).arg("KILL").arg("TYPE").arg("pubsub")));

        assertThat(next(interruptions)).isEqualTo("interrupted");
        await(here.publish(project, Kind.CHANGES, Buffer.buffer("after")));
        assertThat(next(received)).isEqualTo("after");
    }

    /** What others published may be missing before it. */
    @Test
    void aLossIsSaidOnceBeforeAnOwnMessageThatFollows() throws InterruptedException {
        EmbeddedRedis mortal = EmbeddedRedis.forTests();
        try (var bus = new RedisProjectBus(vertx, Redis.createClient(vertx, mortal.url()))) {
            await(bus.listen(
                    project,
                    Kind.CHANGES,
                    message -> received.add(message.toString()),
                    () -> received.add("interrupted")));
            await(bus.publish(project, Kind.CHANGES, Buffer.buffer("own")));
            mortal.close();
            List<String> seen = new ArrayList<>();
            for (int sent = 0; sent < 1_000 && !seen.contains("interrupted"); sent++) {
                Future<Void> unused = bus.publish(project, Kind.CHANGES, Buffer.buffer("own"));
                Thread.sleep(20);
                received.drainTo(seen);
            }
            Future<Void> unused = bus.publish(project, Kind.CHANGES, Buffer.buffer("own"));
            received.drainTo(seen);
            assertThat(seen).startsWith("own").endsWith("interrupted", "own", "own");
        }
    }

    /** The client takes a message that arrives before the answer to a ping for that answer. */
    @Test
    void aBusyConnectionIsNotTakenForALostOne() throws InterruptedException {
        var pings = new ReconnectingConnection.Pings(Duration.ofMillis(10), Duration.ofSeconds(2));
        try (var busy = new RedisProjectBus(vertx, Redis.createClient(vertx, server.url()), pings)) {
            listen(busy, Kind.CHANGES);
            long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            int sent = 0;
            while (System.nanoTime() < end) {
                await(here.publish(project, Kind.CHANGES, Buffer.buffer(Integer.toString(sent++))));
            }
            for (int number = 0; number < sent; number++) {
                assertThat(next(received)).isEqualTo(Integer.toString(number));
            }
            assertThat(interruptions).isEmpty();
        }
    }

    @Test
    void aProjectThatRedisIsSlowToTakeLeavesRoomForOthers() {
        await(here.publish(project, Kind.BROADCAST, Buffer.buffer("connected")));
        await(client.send(Request.cmd(Command.CLIENT).arg("PAUSE").arg("60000").arg("WRITE")));
        List<Future<Void>> flood = IntStream.range(0, 32)
                .mapToObj(number -> here.publish(project, Kind.BROADCAST, Buffer.buffer(new byte[1 << 20])))
                .toList();
        Future<Void> neighbour = here.publish(UUID.randomUUID(), Kind.BROADCAST, Buffer.buffer(new byte[1 << 20]));
        assertThat(flood).filteredOn(Future::failed).hasSize(25);
        assertThat(neighbour.failed()).isFalse();
        await(client.send(Request.cmd(Command.CLIENT).arg("UNPAUSE")));
        await(neighbour);
        flood.subList(0, 7).forEach(ProjectBusTest::await);
        await(here.publish(project, Kind.BROADCAST, Buffer.buffer(new byte[1 << 20])));
    }

    @Test
    void withoutRedisNothingWaits() throws InterruptedException {
        EmbeddedRedis mortal = EmbeddedRedis.forTests();
        var bus = new RedisProjectBus(vertx, Redis.createClient(vertx, mortal.url()));
        await(bus.listen(project, Kind.BROADCAST, message -> received.add(message.toString()), () -> {}));
        await(bus.publish(project, Kind.BROADCAST, Buffer.buffer("with")));
        assertThat(next(received)).isEqualTo("with");
        mortal.close();

        Future<Void> lost = bus.publish(project, Kind.BROADCAST, Buffer.buffer("without"));

        assertThat(next(received)).as("in this process").isEqualTo("without");
        assertThatThrownBy(() -> await(lost)).isNotNull();
        assertThatThrownBy(() -> await(bus.listen(project, Kind.PRESENCE, message -> {}, () -> {})))
                .hasMessageContaining("Redis does not confirm");
        bus.close();
    }
}
