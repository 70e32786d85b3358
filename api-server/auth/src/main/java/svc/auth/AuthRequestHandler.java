package svc.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import svc.auth.http.ApiVersion;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.AuthRoutes;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.http.FaultLog;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.SqlErrorMapping;
import svc.auth.session.Bearer;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;

/** The service {@code /auth/v1}: chooses the route of a request, and writes answers and refusals. */
public final class AuthRequestHandler implements DataPlaneService {
    /** Parsed in a fraction of a millisecond: short enough for the event loop. */
    private static final int MAX_EVENT_LOOP_BODY_BYTES = 16 * 1024;

    private final CallerAddress addresses;
    private final AuthRoutes routes;

    AuthRequestHandler(AuthRoutes routes, CallerAddress addresses) {
        this.routes = routes;
        this.addresses = addresses;
    }

    @Override
    public String name() {
        return "auth";
    }

    @Override
    public List<String> calls() {
        return routes.calls();
    }

    @Override
    public void handle(DataPlaneRequest request) {
        var call = new AuthRequest(request, addresses);
        AuthResponse answer;
        try {
            answer = endpoint(call).answer(call);
        } catch (AuthError | PoolExhausted | SqlError e) {
            answer = refused(e, call);
        }
        send(request, answer);
    }

    /** On the event loop: only the calls that clients repeat, {@code GET /user} and the refresh. */
    @Override
    public Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
        if (request.body().length() > MAX_EVENT_LOOP_BODY_BYTES) {
            return Optional.empty();
        }
        var call = new AuthRequest(request, addresses);
        Optional<CompletableFuture<AuthResponse>> begun;
        try {
            begun = endpoint(call).begin(call);
        } catch (AuthError | PoolExhausted | SqlError e) {
            begun = Optional.of(CompletableFuture.failedFuture(e));
        }
        return begun.map(answer -> answer.exceptionally(thrown -> refused(AuthTransactions.cause(thrown), call))
                .thenAccept(given -> send(request, given)));
    }

    private static void send(DataPlaneRequest request, AuthResponse answer) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        if (answer.body().isEmpty()) {
            response.end();
        } else {
            response.putHeader("Content-Type", "application/json");
            response.end(Buffer.buffer(answer.body().get().toString()));
        }
    }

    private Endpoint endpoint(AuthRequest call) {
        if (!call.tenant().auth().enabled()) {
            throw AuthErrorCode.AUTH_DISABLED.error();
        }
        if (call.tenant().adoption().isPresent()) {
            throw AuthErrorCode.ADOPTED_DATABASE.error();
        }
        call.requireSmallBody();
        if (call.path().startsWith("/admin/")) {
            Bearer.requireAdmin(call.context());
        }
        Endpoint endpoint = routes.of(call);
        if (RouteTable.isForUsers(call.path())) {
            Bearer.requireToken(call.context());
        }
        return endpoint;
    }

    /** Every other exception is a bug, and stays one. */
    private static AuthResponse refused(Throwable why, AuthRequest call) {
        return switch (why) {
            case AuthError e -> failed(e, call);
            case PoolExhausted e -> failed(SqlErrorMapping.of(e), call);
            case SqlError e -> failed(SqlErrorMapping.of(e, call), call);
            default -> throw new CompletionException(why);
        };
    }

    private static AuthResponse failed(AuthError error, AuthRequest call) {
        FaultLog.record(call, error);
        String message =
                error.detail().filter(inside -> call.context().isService()).orElse(error.getMessage());
        ApiVersion version = ApiVersion.of(call.header(ApiVersion.HEADER));
        ObjectNode body = version.body(error, message);
        if (!error.weakness().isEmpty()) {
            var reasons = body.putObject("weak_password").putArray("reasons");
            error.weakness().forEach(reasons::add);
        }
        error.oauth().ifPresent(word -> body.put("error", word).put("error_description", error.getMessage()));
        AuthResponse answer = new AuthResponse(error.status(), version.headers(), Optional.of(body))
                .with(AuthError.CODE_HEADER, error.code());
        if (error.retryAfter().isPresent()) {
            answer = answer.with("Retry-After", Long.toString(error.retryAfter().getAsLong()));
        }
        return answer;
    }
}
