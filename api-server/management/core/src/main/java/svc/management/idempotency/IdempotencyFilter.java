package svc.management.idempotency;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Method;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import svc.management.token.CurrentPrincipal;
import svc.management.token.WithoutToken;
import svc.platform.dataplane.RequestId;

/**
 * Runs a call that changes something once for each Idempotency-Key of its token, and answers a repetition within 24 hours with the
 * first answer. A call that is refused or fails frees its key: it changed nothing that a repetition must not do again. One whose
 * outcome is unknown keeps its key, because it may have done everything.
 */
public class IdempotencyFilter {
    /** Bytes of its body. A larger answer is not kept: its call does not run again either. */
    static final int MAX_ANSWER = 256 << 10;

    private static final Logger LOG = Logger.getLogger(IdempotencyFilter.class);
    private static final String CALL = "svc.idempotent-call";
    private static final Set<String> CHANGES = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int FIRST_REFUSAL = 400;

    private final IdempotentCalls calls;
    private final CurrentPrincipal caller;
    private final RoutingContext context;

    IdempotencyFilter(IdempotentCalls calls, CurrentPrincipal caller, RoutingContext context) {
        this.calls = calls;
        this.caller = caller;
        this.context = context;
    }

    /** After the token and its permission are checked, and before the body is parsed. */
    @ServerRequestFilter(priority = Priorities.USER + 100)
    public Optional<Response> claim(ContainerRequestContext request, ResourceInfo resource) {
        Method method = resource.getResourceMethod();
        if (!CHANGES.contains(request.getMethod())
                || method.isAnnotationPresent(WithoutToken.class)
                || method.isAnnotationPresent(KeyedByResource.class)) {
            return Optional.empty();
        }
        Optional<String> key = KeyedCall.key(context.request().headers().getAll(KeyedCall.HEADER));
        if (key.isEmpty()) {
            return Optional.empty();
        }
        Buffer body = context.body().buffer();
        KeyedCall call = KeyedCall.of(
                caller.get(),
                key.get(),
                request.getMethod(),
                context.request().uri(),
                body == null ? new ByteBuffer[0] : body.getByteBuf().nioBuffers());
        return switch (calls.claim(call)) {
            case IdempotentCalls.State.Claimed claimed -> {
                context.put(CALL, call);
                yield Optional.empty();
            }
            case IdempotentCalls.State.Done done -> Optional.of(replayed(call, done.sealed()));
            case IdempotentCalls.State.Other other ->
                throw IdempotencyProblems.other().asException();
            case IdempotentCalls.State.Running running ->
                throw IdempotencyProblems.running().asException();
            case IdempotentCalls.State.Full full ->
                throw IdempotencyProblems.full().asException();
        };
    }

    private Response replayed(KeyedCall call, Optional<byte[]> sealed) {
        return sealed.flatMap(bytes -> AnswerSeal.open(credential(), call, bytes))
                .flatMap(KeptResponse::of)
                .filter(answer -> answer.isFor(call.by()))
                .map(KeptResponse::replay)
                .orElseThrow(() -> IdempotencyProblems.notKept().asException());
    }

    /** After filters that change the answer: response filters run from the highest priority on. */
    @ServerResponseFilter(priority = Priorities.USER - 100)
    public void keep(ContainerResponseContext response) {
        KeyedCall call = context.remove(CALL);
        if (call == null) {
            return;
        }
        try {
            if (changedNothing(response.getStatus())) {
                calls.release(call);
                return;
            }
            Optional<byte[]> answer = KeptResponse.of(call.by(), response)
                    .filter(whole -> whole.body().length <= MAX_ANSWER)
                    .map(whole -> AnswerSeal.seal(credential(), call, whole.bytes()));
            calls.finish(call, response.getStatus(), answer);
        } catch (RuntimeException e) {
            // The call itself is done. Its key is in use until the end of the claim.
            LOG.warnf(e, "the answer to an idempotency key could not be kept [%s]", RequestId.of(context));
        }
    }

    /** Behind a 500 or a 502 the call may be done: its connection to the database broke at COMMIT, for example. */
    private static boolean changedNothing(int status) {
        return status >= FIRST_REFUSAL
                && status != HttpURLConnection.HTTP_INTERNAL_ERROR
                && status != HttpURLConnection.HTTP_BAD_GATEWAY;
    }

    /** The token as sent: a seal's key. */
    private String credential() {
        String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        return header.substring(header.indexOf(' ') + 1).strip();
    }
}
