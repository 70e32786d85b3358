package svc.auth;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.SignedJWT;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import svc.auth.token.ProjectTokens;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;

/**
 * The auth service at {@code http://127.0.0.1:<port>/<ref>/…}, behind a short form of the gateway: the bearer is a token of
 * the project, or {@code service} for the service role; any other call is anonymous.
 */
final class AuthServerForTests implements AutoCloseable {
    private final AuthRequestHandler handler;
    private final ProjectTokens tokens;
    private final Function<String, Tenant> tenants;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /** @param tenants by ref */
    AuthServerForTests(
            Vertx vertx, AuthRequestHandler handler, ProjectTokens tokens, Function<String, Tenant> tenants) {
        this.handler = handler;
        this.tokens = tokens;
        this.tenants = tenants;
        this.server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> handle(request, body)))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    int port() {
        return server.actualPort();
    }

    /** On the event loop if the service supports it, as in the gateway. */
    private void handle(HttpServerRequest request, Buffer body) {
        try {
            String path = request.path();
            int second = path.indexOf('/', 1);
            Tenant tenant = tenants.apply(path.substring(1, second));
            var call = new DataPlaneRequest(
                    tenant,
                    caller(tenant, request.getHeader("Authorization")),
                    request.method(),
                    path.substring(second),
                    request.query() == null ? "" : request.query(),
                    request.headers(),
                    body,
                    request.remoteAddress(),
                    "test",
                    request.response());
            handler.begin(call)
                    .orElseGet(() -> CompletableFuture.runAsync(() -> handler.handle(call), threads))
                    .exceptionally(fault -> failed(request, fault));
        } catch (Throwable e) {
            failed(request, e);
        }
    }

    private static Void failed(HttpServerRequest request, Throwable e) {
        request.response()
                .setStatusCode(599)
                .end("\"fault: " + (e + " at " + List.of(e.getStackTrace())).replaceAll("[\"\\\\\n]", "'") + "\"");
        return null;
    }

    private Caller caller(Tenant tenant, String authorization) throws Exception {
        if (authorization == null) {
            return Caller.anon();
        }
        String text = authorization.substring("Bearer ".length());
        if (text.equals("service")) {
            return Caller.service();
        }
        SignedJWT token = SignedJWT.parse(text);
        for (Map<String, String> jwk : tokens.published(tenant)) {
            var key = ECKey.parse(AuthForTests.JSON.writeValueAsString(jwk));
            if (token.verify(new ECDSAVerifier(key))) {
                return new Caller(
                        DatabaseRole.API,
                        DatabaseRole.AUTHENTICATED,
                        Optional.empty(),
                        token.getPayload().toString(),
                        Optional.of(text));
            }
        }
        return Caller.anon();
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
        threads.close();
    }
}
