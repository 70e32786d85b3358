package svc.realtime;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Redis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import svc.crds.project.service.RealtimeSpec;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.project.companion.CompanionSchema;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.SessionTokens;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.pool.PoolSettings;
import svc.realtime.bus.ActivityExchange;
import svc.realtime.bus.RedisProjectBus;
import svc.realtime.change.ChangeFeed;
import svc.realtime.change.DatabaseLogs;
import svc.realtime.channel.ChannelServices;
import svc.realtime.channel.ChannelTokens;
import svc.realtime.channel.RealtimeProjects;
import svc.realtime.http.BroadcastEndpoint;
import svc.realtime.http.RealtimeRequestHandler;
import svc.realtime.http.RequestRates;
import svc.realtime.policy.ChannelPolicies;
import svc.realtime.policy.MessagesTable;
import svc.realtime.policy.PolicyVersions;
import svc.realtime.socket.SocketLimits;
import svc.testing.TestingProjects;

/**
 * Two processes of the service on one Redis and one database. A short form of the gateway: the first segment of the path is
 * the project, the parameter {@code apikey} is {@code anon} or {@code service}.
 */
final class RealtimeForTests implements AutoCloseable {
    static final int MAX_MESSAGE = 1 << 20;
    private static final long SEND_QUEUE = 1 << 20;
    private static final long MEMORY = 64 << 20;

    private final Vertx vertx = Vertx.vertx();
    private final EmbeddedRedis redis = EmbeddedRedis.forTests();
    private final TestingProjects projects = TestingProjects.create();
    private final TenantTransactions transactions = new TenantTransactions(
            new ProjectPools(PoolSettings.defaults().withCap(10), projects.roots()), Duration.ofSeconds(15));
    private final CatalogDatabase catalog = new CatalogDatabase(
            () -> projects.platformPassword(Purpose.LOGIN_CATALOG),
            PoolSettings.defaults().withCap(3));
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<RawClient> clients = new ArrayList<>();
    private final MovedClock clock = new MovedClock();
    final ByteBudget budget = new ByteBudget(MEMORY);
    final Process first;
    final Process second;

    RealtimeForTests() {
        this(Optional.empty());
    }

    RealtimeForTests(Optional<ChangeFeed> changes) {
        this(changes, Optional.empty());
    }

    RealtimeForTests(Optional<ChangeFeed> changes, Optional<DatabaseLogs> logs) {
        first = new Process(changes, logs);
        second = new Process(changes, logs);
    }

    /** One process of the service. */
    final class Process {
        final RedisProjectBus bus = new RedisProjectBus(vertx, Redis.createClient(vertx, redis.url()));
        final ActivityExchange activities = new ActivityExchange(vertx, Redis.createClient(vertx, redis.url()));
        final MessagesTable messages = new MessagesTable(transactions);
        final RealtimeProjects projects;
        private final RealtimeRequestHandler requests;
        private final HttpServer server;

        private Process(Optional<ChangeFeed> changes, Optional<DatabaseLogs> logs) {
            var policies = new ChannelPolicies(messages, threads, new PolicyVersions(tenant -> catalog));
            var services = new ChannelServices(
                    bus, new ChannelTokens(new PlainTokens(), clock), policies, changes, logs, budget::account);
            projects =
                    new RealtimeProjects(services, new SocketLimits(MAX_MESSAGE, SEND_QUEUE), Duration.ofSeconds(60));
            requests = new RealtimeRequestHandler(
                    projects,
                    new BroadcastEndpoint(
                            bus,
                            policies,
                            new RequestRates(projects::delivery),
                            budget::account,
                            new BodyRules(4 << 20, true, Duration.ofSeconds(5), 1024)));
            server = vertx.createHttpServer(WebSocketOptions.apply(new HttpServerOptions(), MAX_MESSAGE))
                    .requestHandler(this::handle)
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        }

        private void handle(HttpServerRequest request) {
            request.pause();
            String[] parts = request.path().split("/", 3);
            String query = Objects.requireNonNullElse(request.query(), "");
            Caller caller = query.contains("apikey=service") ? Caller.service() : Caller.anon();
            String bearer = request.getHeader("Authorization");
            if (bearer != null) {
                caller = PlainTokens.read(tenants.get(parts[1]), bearer).orElseThrow();
            }
            requests.handle(
                    new DataPlaneExchange(tenants.get(parts[1]), caller, "/" + parts[2], query, request, "test"));
        }

        int port() {
            return server.actualPort();
        }

        /** A socket with the anon key. */
        RawClient connect(String ref, String vsn) {
            return connect(ref, vsn, "anon");
        }

        RawClient connect(String ref, String vsn, String key) {
            RawClient opened = RawClient.open(vertx, port(), "/" + ref + "/websocket?apikey=" + key + "&vsn=" + vsn);
            clients.add(opened);
            return opened;
        }

        HttpResponse<String> post(String ref, String path, String type, byte[] body) {
            return send(HttpRequest.newBuilder(uri(ref, path))
                    .header("content-type", type)
                    .POST(BodyPublishers.ofByteArray(body)));
        }

        HttpResponse<String> post(String ref, String path, String body) {
            return post(ref, path, "application/json", body.getBytes(StandardCharsets.UTF_8));
        }

        HttpResponse<String> get(String ref, String path) {
            return send(HttpRequest.newBuilder(uri(ref, path)).GET());
        }

        private URI uri(String ref, String path) {
            return URI.create("http://127.0.0.1:" + port() + "/" + ref + path);
        }

        HttpResponse<String> send(HttpRequest.Builder request) {
            try {
                return client.send(request.build(), BodyHandlers.ofString());
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A token of the form of a JWT, which names its project as its signature. */
    static final class PlainTokens implements SessionTokens {
        @Override
        public Future<Void> ready(Tenant tenant) {
            return Future.succeededFuture();
        }

        @Override
        public Optional<Caller> caller(Tenant tenant, String token) {
            return read(tenant, token);
        }

        /** The keys are valid while the version of the anon key is the first. */
        static Optional<Caller> read(Tenant tenant, String token) {
            if (token.equals("anon") || token.equals("service")) {
                return tenant.keyVersions()
                                .getOrDefault(Purpose.ANON_KEY, Set.of(1))
                                .contains(1)
                        ? Optional.of(token.equals("anon") ? Caller.anon() : Caller.service())
                        : Optional.empty();
            }
            String[] parts = token.replace("Bearer ", "").split("\\.");
            if (parts.length != 3 || !parts[2].equals(tenant.ref())) {
                return Optional.empty();
            }
            var claims = new JsonObject(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
            return claims.getLong("exp") <= System.currentTimeMillis() / 1000
                    ? Optional.empty()
                    : Optional.of(new Caller(
                            DatabaseRole.API,
                            DatabaseRole.AUTHENTICATED,
                            Optional.empty(),
                            claims.encode(),
                            Optional.of(token)));
        }
    }

    /** A signed-in user's token that expires after so many seconds. */
    static String token(String ref, String user, long seconds) {
        String claims = new JsonObject()
                .put("role", "authenticated")
                .put("sub", user)
                .put("exp", System.currentTimeMillis() / 1000 + seconds)
                .encode();
        return "e30."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + "."
                + ref;
    }

    /** A project that has used the service. */
    Tenant project(String ref) {
        return project(ref, spec -> spec);
    }

    Tenant project(String ref, UnaryOperator<RealtimeSpec> settings) {
        Tenant tenant = projects.project(ref).withRealtime(settings.apply(RealtimeSpec.defaults()));
        projects.complete(tenant, CompanionSchema.REALTIME);
        tenants.put(ref, tenant);
        return tenant;
    }

    /** Limits that no test of something else meets. */
    static RealtimeSpec generous(RealtimeSpec unused) {
        return new RealtimeSpec(true, false, 10_000, 1_000, 100_000, 100_000, 256, 100_000, 10);
    }

    /** The same project with another version of its keys, and none of the version before. */
    static Tenant rotated(Tenant tenant) {
        return new Tenant(
                tenant.ref(),
                tenant.names(),
                tenant.scope(),
                tenant.masterKeyVersion(),
                Map.of(Purpose.ANON_KEY, Set.of(2)),
                tenant.database(),
                tenant.organization(),
                tenant.restUrl(),
                tenant.rest(),
                tenant.tokens(),
                tenant.auth(),
                tenant.authSecrets(),
                tenant.storage(),
                tenant.graphql(),
                tenant.realtime(),
                tenant.adoption());
    }

    void serve(Tenant tenant) {
        tenants.put(tenant.ref(), tenant);
        first.projects.changed(tenant.ref(), Optional.of(tenant));
        second.projects.changed(tenant.ref(), Optional.of(tenant));
    }

    TestingProjects database() {
        return projects;
    }

    Vertx vertx() {
        return vertx;
    }

    EmbeddedRedis redis() {
        return redis;
    }

    /** Ends what a test has opened, and waits until the processes have noticed. */
    void closeClients() {
        clients.forEach(RawClient::close);
        clients.clear();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> first.projects.connections() + second.projects.connections() == 0);
    }

    /** Lets time pass for the tokens of channels that are joined. */
    void pass(Duration time) {
        clock.passed = clock.passed.plus(time);
    }

    private static final class MovedClock extends Clock {
        private volatile Duration passed = Duration.ZERO;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(passed);
        }
    }

    @Override
    public void close() {
        closeClients();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        transactions.close();
        catalog.close();
        threads.close();
        redis.close();
    }
}
