package svc.extensions.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.extensions.SharedProjects;
import svc.platform.egress.AddressRules;
import svc.platform.egress.EgressClient;
import svc.platform.tenancy.Tenant;

/** Queued requests are sent after their commit and at least once; slow receivers of one project delay no other. */
class RequestWorkerTest {
    private final SharedProjects projects = new SharedProjects();
    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private HttpServer web;
    private EgressClient egress;
    private EgressClient strict;
    private Tenant tenant;
    private Tenant neighbour;

    @BeforeEach
    void start() throws IOException {
        web = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        web.setExecutor(handlers);
        web.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String token = exchange.getRequestHeaders().getFirst("X-Token");
            received.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + token + " " + body);
            byte[] answer = "hel\0lo".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/plain");
            exchange.getResponseHeaders().add("X-Answer", "yes");
            int status = exchange.getRequestURI().getPath().startsWith("/status/") ? 503 : 200;
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        web.createContext("/slow", exchange -> {
            received.add("slow");
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        web.start();
        egress = new EgressClient(vertx, new AddressRules(List.of(), List.of("127.0.0.1/32")), Duration.ofSeconds(60));
        strict = new EgressClient(vertx, new AddressRules(List.of(), List.of()), Duration.ofSeconds(60));
        tenant = projects.project("aaaa2345");
        neighbour = projects.project("bbbb2345");
    }

    @AfterEach
    void stop() {
        release.countDown();
        threads.shutdownNow();
        web.stop(0);
        egress.close();
        strict.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        projects.close();
    }

    private RequestWorker worker(EgressClient client) {
        return worker(client, threads);
    }

    private RequestWorker worker(EgressClient client, ExecutorService on) {
        var sender = new RequestSender(client, new OwnAddresses(Optional.of(URI.create(url("/v1")))));
        return new RequestWorker(projects.worker(), projects.live(), sender, new RequestLimits(), on);
    }

    private String url(String path) {
        return "http://127.0.0.1:" + web.getAddress().getPort() + path;
    }

    private void queue(Tenant owner, String path) {
        projects.database.asOwner(owner, "SELECT svc_net.http_get('" + url(path) + "')");
    }

    private String responses(Tenant owner) {
        return projects.database.ask(
                "SELECT coalesce(string_agg(concat_ws('|', status_code, content_type, content, timed_out, error_msg), '; '"
                        + " ORDER BY id), '') FROM svc_net.stored_response WHERE schema_name = '"
                        + owner.names().schemaName() + "'");
    }

    private String waiting(Tenant owner) {
        return projects.database.ask("SELECT count(*) FROM svc_net.queued_request WHERE schema_name = '"
                + owner.names().schemaName() + "'");
    }

    private void awaitResponses(RequestWorker worker, Tenant owner, String expected) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            worker.turn();
            assertThat(responses(owner)).isEqualTo(expected);
        });
    }

    @Test
    void aRequestIsSentWithWhatItWasGivenAndItsResponseIsKept() {
        projects.database.asOwner(
                tenant,
                "SELECT svc_net.http_post('" + url("/hook")
                        + "', '{\"a\": 1}', '{\"q\": \"x y\"}', '{\"X-Token\": \"t\"}')");
        queue(neighbour, "/status/");
        RequestWorker worker = worker(egress);
        awaitResponses(worker, tenant, "200|text/plain|hel\uFFFDlo|f");
        awaitResponses(worker, neighbour, "503|text/plain|hel\uFFFDlo|f");
        assertThat(received).containsExactlyInAnyOrder("POST /hook?q=x%20y t {\"a\": 1}", "GET /status/ null ");
        assertThat(waiting(tenant)).isEqualTo("0");
        assertThat(projects.database.ask("SELECT headers ->> 'X-answer' FROM svc_net.stored_response LIMIT 1"))
                .isEqualTo("yes");
    }

    @Test
    void whatIsRolledBackIsNotSent() {
        projects.database.asOwner(tenant, "BEGIN; SELECT svc_net.http_get('" + url("/lost") + "'); ROLLBACK");
        queue(tenant, "/kept");
        awaitResponses(worker(egress), tenant, "200|text/plain|hel\uFFFDlo|f");
        assertThat(received).containsExactly("GET /kept null ");
    }

    @Test
    void slowReceiversOfOneProjectDelayNoOther() {
        for (int i = 0; i < 3 * RequestLimits.OF_PROJECT; i++) {
            queue(tenant, "/slow");
        }
        queue(neighbour, "/quick");
        RequestWorker worker = worker(egress);
        awaitResponses(worker, neighbour, "200|text/plain|hel\uFFFDlo|f");
        await().until(() -> received.stream().filter("slow"::equals).count() == RequestLimits.OF_PROJECT);
        worker.turn();
        queue(neighbour, "/quick");
        awaitResponses(worker, neighbour, "200|text/plain|hel\uFFFDlo|f; 200|text/plain|hel\uFFFDlo|f");
        assertThat(received.stream().filter("slow"::equals)).hasSize(RequestLimits.OF_PROJECT);
    }

    private long slow() {
        return received.stream().filter("slow"::equals).count();
    }

    @Test
    void aRequestThatAProcessDidNotFinishIsSentByTheNextWhenItsClaimHasEnded() throws Exception {
        queue(tenant, "/slow");
        RequestWorker killed = worker(egress);
        killed.turn();
        await().until(() -> slow() == 1);
        // Its thread ends before it has an answer, as with its process.
        threads.shutdownNow();
        assertThat(waiting(tenant)).isEqualTo("1");
        assertThat(projects.database.ask(
                        "SELECT claimed_until BETWEEN now() + interval '20 seconds' AND now() + interval"
                                + " '40 seconds' FROM svc_net.queued_request"))
                .isEqualTo("t");
        projects.database.asOperator("UPDATE svc_net.queued_request SET claimed_until = now() - interval '1 second'");
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            RequestWorker next = worker(egress, others);
            next.turn();
            await().until(() -> slow() == 2);
            release.countDown();
            await().until(() -> waiting(tenant).equals("0"));
        }
    }

    @Test
    void aRequestThatIsUnderWayIsNotSentByAnotherProcess() throws Exception {
        queue(tenant, "/slow");
        RequestWorker stopping = worker(egress);
        stopping.turn();
        await().until(() -> slow() == 1);
        assertThat(stopping.drain(Duration.ZERO)).isFalse();

        RequestWorker next = worker(egress);
        queue(neighbour, "/quick");
        awaitResponses(next, neighbour, "200|text/plain|hel\uFFFDlo|f");
        release.countDown();
        assertThat(stopping.drain(Duration.ofSeconds(20))).isTrue();
        assertThat(waiting(tenant)).isEqualTo("0");
        assertThat(slow()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tried_at = now() - interval '11 minutes'",
                "id = ((extract(epoch FROM now()) - 3700) * 1000000)::bigint"
            })
    void aRequestThatIsTooOldIsGivenUp(String age) {
        queue(tenant, "/late");
        projects.database.asOperator("UPDATE svc_net.queued_request SET " + age);
        RequestWorker worker = worker(egress);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            worker.turn();
            assertThat(responses(tenant)).startsWith("f|given up: ");
        });
        assertThat(waiting(tenant)).isEqualTo("0");
        assertThat(received).isEmpty();
    }

    @Test
    void aRequestThatTheClientCannotMakeIsAnErrorAtOnce() {
        queue(tenant, "/never");
        projects.database.asOperator("UPDATE svc_net.queued_request SET method = 'G ET', headers = '{\"a b\": \"\"}'");
        RequestWorker worker = worker(egress);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            worker.turn();
            assertThat(responses(tenant)).startsWith("f|");
        });
        assertThat(waiting(tenant)).isEqualTo("0");
    }

    @Test
    void aReceiverThatIsTooSlowIsAnError() {
        projects.database.asOwner(
                tenant, "SELECT svc_net.http_get('" + url("/slow") + "', timeout_milliseconds := 200)");
        awaitResponses(worker(egress), tenant, "t|Timeout of 200 ms reached");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:5432/",
                "http://localhost/",
                "http://anything.localhost/",
                "http://[::1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://10.0.0.1/",
                "http://192.168.1.1/",
                "http://169.254.169.254/latest/meta-data/",
                "http://2130706433/",
                "http://0x7f.1/",
                "http://0/"
            })
    void noRequestReachesThePlatformsOwnNetworks(String target) {
        projects.database.asOwner(tenant, "SELECT svc_net.http_get('" + target + "', timeout_milliseconds := 3000)");
        RequestWorker worker = worker(strict);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            worker.turn();
            assertThat(waiting(tenant)).isEqualTo("0");
        });
        assertThat(projects.database.ask(
                        "SELECT status_code IS NULL AND error_msg IS NOT NULL FROM svc_net.stored_response"))
                .isEqualTo("t");
    }

    @Test
    void theProjectsOwnApiIsReachedWhereverItIsAndNoOthers() {
        queue(tenant, "/p/aaaa2345/functions/v1/hello");
        queue(neighbour, "/p/aaaa2345/functions/v1/hello");
        queue(neighbour, "/v1/projects");
        RequestWorker worker = worker(strict);
        awaitResponses(worker, tenant, "200|text/plain|hel\uFFFDlo|f");
        awaitResponses(worker, neighbour, "f|the address is not public; f|the address is not public");
        assertThat(received).containsExactly("GET /p/aaaa2345/functions/v1/hello null ");
    }

    @Test
    void requestsOfAPausedProjectWait() {
        queue(tenant, "/later");
        queue(neighbour, "/now");
        projects.pause(tenant);
        RequestWorker worker = worker(egress);
        awaitResponses(worker, neighbour, "200|text/plain|hel\uFFFDlo|f");
        assertThat(waiting(tenant)).isEqualTo("1");
        projects.resume(tenant);
        awaitResponses(worker, tenant, "200|text/plain|hel\uFFFDlo|f");
    }

    @Test
    void responsesAreKeptForSomeTimeAndWithinALimit() {
        String insert =
                "INSERT INTO svc_net.stored_response (schema_name, id, content, created, bytes) SELECT '%s', i, 'x',"
                        + " now() - interval '%s', %d FROM generate_series(1, %d) i";
        projects.database.asOperator(insert.formatted(tenant.names().schemaName(), "7 hours", 100, 10));
        projects.database.asOperator(
                insert.formatted(neighbour.names().schemaName(), "5 hours", RequestStore.KEPT_BYTES / 100, 1000));
        worker(egress).expire();
        new RequestStore(projects.worker()).trim(neighbour.names().schemaName());
        assertThat(responses(tenant)).isEmpty();
        assertThat(projects.database.ask("SELECT count(*) || ' ' || max(id) FROM svc_net.stored_response"))
                .isEqualTo("100 1000");
    }
}
