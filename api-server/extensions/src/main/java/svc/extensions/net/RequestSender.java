package svc.extensions.net;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressCall;
import svc.platform.egress.EgressClient;
import svc.platform.egress.EgressFailedException;
import svc.platform.egress.EgressFailedException.Reason;
import svc.platform.egress.EgressResponse;
import svc.platform.tenancy.Tenant;

/** Makes the call of a request, once: the address's answer is the response, whatever its status. */
public final class RequestSender {
    /** A longer answer is an error. */
    static final int MAX_ANSWER = 1 << 20;

    /** Bytes of an answer's headers that are kept. */
    private static final int MAX_HEADERS = 16 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    private final EgressClient egress;
    private final OwnAddresses own;

    public RequestSender(EgressClient egress, OwnAddresses own) {
        this.egress = egress;
        this.own = own;
    }

    /** @return empty when the project has as many calls under way as it may: the request is to be sent later */
    CompletableFuture<Optional<StoredResponse>> send(Tenant tenant, QueuedRequest request) {
        EgressCall call;
        try {
            call = call(request);
        } catch (URISyntaxException | JsonProcessingException | RuntimeException e) {
            // What the library refuses now, it refuses each time.
            return done(StoredResponse.failed("the URL or the headers cannot be read", false));
        }
        CallOwner owner = CallOwner.of(tenant);
        var answer = own.cover(tenant, call.address()) ? egress.callPlatform(owner, call) : egress.call(owner, call);
        return answer.map(RequestSender::response)
                .map(Optional::of)
                .recover(failure -> io.vertx.core.Future.succeededFuture(failure(failure, request)))
                .toCompletionStage()
                .toCompletableFuture();
    }

    private static CompletableFuture<Optional<StoredResponse>> done(StoredResponse response) {
        return CompletableFuture.completedFuture(Optional.of(response));
    }

    private static EgressCall call(QueuedRequest request) throws URISyntaxException, JsonProcessingException {
        return new EgressCall(
                HttpMethod.valueOf(request.method()),
                new URI(request.url()),
                JSON.readValue(request.headers(), TEXTS),
                request.body().map(Buffer::buffer).orElseGet(Buffer::buffer),
                MAX_ANSWER,
                request.limit());
    }

    private static StoredResponse response(EgressResponse answer) {
        return new StoredResponse(
                Optional.of(answer.status()),
                Optional.ofNullable(answer.headers().get("Content-Type")).map(RequestSender::storable),
                Optional.of(json(answer.headers())),
                Optional.of(storable(answer.body().toString(StandardCharsets.UTF_8))),
                false,
                Optional.empty());
    }

    /** A text of PostgreSQL has no NUL. */
    private static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }

    private static String json(MultiMap headers) {
        Map<String, String> kept = new TreeMap<>();
        int bytes = 0;
        for (Map.Entry<String, String> header : headers) {
            bytes += header.getKey().length() + header.getValue().length();
            if (bytes <= MAX_HEADERS) {
                kept.merge(storable(header.getKey()), storable(header.getValue()), (one, other) -> one + ", " + other);
            }
        }
        return JSON.valueToTree(kept).toString();
    }

    private static Optional<StoredResponse> failure(Throwable failure, QueuedRequest request) {
        if (!(failure instanceof EgressFailedException known)) {
            return Optional.of(StoredResponse.failed("it could not be sent", false));
        }
        if (known.reason() == Reason.BUSY) {
            return Optional.empty();
        }
        boolean late = known.reason() == Reason.LATE;
        String message = late
                ? "Timeout of " + request.limit().toMillis() + " ms reached"
                : Optional.ofNullable(known.getMessage()).orElse("it could not be sent");
        return Optional.of(StoredResponse.failed(message, late));
    }
}
