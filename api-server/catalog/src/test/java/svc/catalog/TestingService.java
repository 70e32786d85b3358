package svc.catalog;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.listen.SchemaNotifications;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/**
 * A service behind a real HTTP server, without the gateway: the first segment of the path is the ref, the header {@code
 * Test-Role} selects the caller, or {@code Test-Claims} sets the claims of a user's token.
 */
public class TestingService implements AutoCloseable {
    /** The limit of the platform's server, in bytes. */
    private static final int MAX_LINE = 32 * 1024;

    private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CatalogDatabase catalog;
    private final SchemaNotifications notifications;
    private final TenantTransactions transactions;
    private final SchemaCache schemas;
    private final DataPlaneService handler;
    private final HttpServer server;

    /** @param service makes the service from the process's connections and schema cache */
    public TestingService(
            TestingProjects projects,
            PoolSettings settings,
            boolean listening,
            BiFunction<TenantTransactions, SchemaCache, DataPlaneService> service) {
        catalog = new CatalogDatabase(() -> projects.platformPassword(Purpose.LOGIN_CATALOG), settings.withCap(3));
        notifications = new SchemaNotifications(catalog, projects.channel());
        transactions = new TenantTransactions(new ProjectPools(settings, projects.roots()), Duration.ofSeconds(15));
        schemas = new SchemaCache(
                new SchemaReader(catalog),
                50_000_000,
                threads,
                listening ? Optional.of(notifications) : Optional.empty(),
                Optional.of(new AdoptedSchemas(transactions)));
        handler = service.apply(transactions, schemas);
        server = vertx.createHttpServer(new HttpServerOptions()
                        .setMaxInitialLineLength(MAX_LINE)
                        .setMaxHeaderSize(MAX_LINE)
                        .setHttp2ClearTextEnabled(false))
                .requestHandler(this::receive)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    public final void serve(Tenant tenant) {
        tenants.put(tenant.ref(), tenant);
    }

    /** The server's port on the loopback interface. */
    public int port() {
        return server.actualPort();
    }

    public SchemaCache schemas() {
        return schemas;
    }

    public HttpResponse<String> request(
            Tenant tenant, String method, String pathAndQuery, Map<String, String> headers, String body) {
        var request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + server.actualPort() + "/" + tenant.ref() + encoded(pathAndQuery)))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::header);
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("while asking " + pathAndQuery, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Encodes characters that java.net.URI refuses although servers accept them. */
    private static String encoded(String pathAndQuery) {
        return pathAndQuery
                .replace("{", "%7B")
                .replace("}", "%7D")
                .replace(">", "%3E")
                .replace("\"", "%22")
                .replace("^", "%5E")
                .replace("\\", "%5C")
                .replace(" ", "%20");
    }

    public HttpResponse<String> get(Tenant tenant, String pathAndQuery) {
        return request(tenant, "GET", pathAndQuery, Map.of(), null);
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
        notifications.close();
        transactions.close();
        catalog.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        threads.close();
    }

    private void receive(HttpServerRequest request) {
        String path = request.path();
        int second = path.indexOf('/', 1);
        Tenant tenant = tenants.get(path.substring(1, second));
        request.body().onSuccess(body -> handle(request, asked(request, tenant, path.substring(second), body)));
    }

    private static DataPlaneRequest asked(HttpServerRequest request, Tenant tenant, String path, Buffer body) {
        MultiMap headers = request.headers();
        String query = request.query() == null ? "" : request.query();
        return new DataPlaneRequest(
                tenant,
                headers.contains("Test-Claims") ? user(headers.get("Test-Claims")) : caller(headers.get("Test-Role")),
                request.method(),
                path,
                query,
                headers,
                body,
                request.remoteAddress(),
                "test",
                request.response());
    }

    /** On the event loop if the service allows it, like the gateway. */
    private void handle(HttpServerRequest request, DataPlaneRequest asked) {
        Optional<CompletionStage<Void>> begun;
        try {
            begun = handler.begin(asked);
        } catch (RuntimeException e) {
            fault(request, e);
            return;
        }
        begun.ifPresentOrElse(
                stage -> stage.whenComplete((done, e) -> {
                    if (e != null) {
                        fault(request, e);
                    }
                }),
                () -> threads.execute(() -> {
                    try {
                        handler.handle(asked);
                    } catch (RuntimeException e) {
                        fault(request, e);
                    }
                }));
    }

    private static void fault(HttpServerRequest request, Throwable e) {
        request.response().setStatusCode(500).end("fault: " + e);
    }

    private static Caller caller(String role) {
        if (role == null) {
            return Caller.anon();
        }
        if (role.equals("service")) {
            return Caller.service();
        }
        return user("{\"role\":\"authenticated\",\"sub\":\"" + role + "\"}");
    }

    private static Caller user(String claims) {
        return new Caller(DatabaseRole.API, DatabaseRole.AUTHENTICATED, Optional.empty(), claims, Optional.of("token"));
    }
}
