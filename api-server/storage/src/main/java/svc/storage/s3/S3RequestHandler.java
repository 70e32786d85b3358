package svc.storage.s3;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jboss.logging.MDC;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.RequestBody;
import svc.platform.dataplane.RequestId;
import svc.storage.body.BodyReader;
import svc.storage.body.FormReader;
import svc.storage.body.UploadBodies;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.s3.command.Commands;
import svc.storage.s3.command.Commands.Command;
import svc.storage.s3.command.PostUpload;
import svc.storage.s3.command.S3Call;
import svc.storage.s3.signature.RequestSignatures;
import svc.storage.s3.signature.SignedAddress;
import svc.storage.s3.signature.SignedAddress.Forwarded;
import svc.storage.s3.signature.SignedRequest;
import svc.storage.s3.signature.UriText;
import svc.storage.s3.signature.Verified;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlText;

/**
 * The S3 protocol, path style. The gateway lets its requests pass without an API key: their signature admits them, and is
 * verified before a body is read.
 */
public final class S3RequestHandler {
    private static final String PREFIX = "/s3";

    private final RequestSignatures signatures;
    private final Commands commands;
    private final PostUpload forms;
    private final UploadBodies files;
    private final CallerAddress proxies;
    private final BiFunction<Throwable, DataPlaneExchange, StorageError> failures;
    private final ExecutorService threads;

    /**
     * @param files whose length buckets and commands limit
     * @param failures of the database and of the store, as storage-api tells them
     */
    public S3RequestHandler(
            RequestSignatures signatures,
            Commands commands,
            PostUpload forms,
            UploadBodies files,
            CallerAddress proxies,
            BiFunction<Throwable, DataPlaneExchange, StorageError> failures,
            ExecutorService threads) {
        this.signatures = signatures;
        this.commands = commands;
        this.forms = forms;
        this.files = files;
        this.proxies = proxies;
        this.failures = failures;
        this.threads = threads;
    }

    /** Whether a path of the storage service is one of the protocol. */
    public static boolean isAddressed(String path) {
        return path.equals(PREFIX) || path.startsWith(PREFIX + "/");
    }

    /** Answers a request, which is paused. Called on the event loop. */
    public void serve(DataPlaneExchange exchange) {
        HttpServerRequest request = exchange.request();
        request.response().putHeader("x-amz-request-id", exchange.requestId());
        BodyReader body;
        try {
            body = files.open(exchange.tenant(), UploadBodies.Sender.ANYONE, request);
        } catch (StorageError e) {
            refuse(exchange, e);
            RequestBody.discard(request);
            return;
        }
        Context loop = Vertx.currentContext();
        try {
            threads.execute(() -> {
                MDC.put(RequestId.LOG_KEY, exchange.requestId());
                MDC.put("ref", exchange.tenant().ref());
                try {
                    answer(exchange, body);
                } catch (RuntimeException | Error e) {
                    refuse(exchange, e);
                } finally {
                    MDC.remove(RequestId.LOG_KEY);
                    MDC.remove("ref");
                    body.close();
                    loop.runOnContext(now -> RequestBody.discard(request));
                }
            });
        } catch (RejectedExecutionException e) {
            body.close();
            refuse(exchange, StorageError.slowDown());
            RequestBody.discard(request);
        }
    }

    private void answer(DataPlaneExchange exchange, BodyReader body) {
        requireService(exchange);
        HttpServerRequest request = exchange.request();
        String path = exchange.path().substring(PREFIX.length());
        String bare = path.startsWith("/") ? path.substring(1) : path;
        int slash = bare.indexOf('/');
        String bucket = UriText.decoded(slash < 0 ? bare : bare.substring(0, slash));
        String key = slash < 0 ? "" : UriText.decoded(bare.substring(slash + 1));
        Map<String, String> parameters = S3Call.parameters(exchange.query());
        if (isForm(request, key, parameters)) {
            requireText(bucket);
            forms.serve(exchange, bucket, body);
            return;
        }
        var signed = new SignedRequest(request.method().name(), exchange.query(), request.headers());
        Verified verified = signatures.verify(exchange.tenant(), signed, addresses(exchange));
        requireText(bucket);
        requireText(key);
        Command command = commands.of(request.method(), bucket, key, parameters, request.headers());
        var admitted = new DataPlaneExchange(
                exchange.tenant(), verified.caller(), exchange.path(), exchange.query(), request, exchange.requestId());
        var call = new StorageCall(admitted, command.operation(), bucket, key, StorageCall.nothing());
        command.run().accept(new S3Call(call, verified, body, parameters));
    }

    /** A name is UTF-8 without NUL; the replacement character stands for what is not. */
    private static void requireText(String name) {
        if (name.indexOf('\0') >= 0 || name.indexOf('\uFFFD') >= 0) {
            throw StorageError.invalidKey("not UTF-8");
        }
    }

    private static void requireService(DataPlaneExchange exchange) {
        if (!exchange.tenant().storage().enabled()) {
            throw StorageError.disabled();
        }
        if (exchange.tenant().adoption().isPresent()) {
            throw StorageError.notBuilt("Storage for a project in an adopted database");
        }
        if (!exchange.tenant().storage().s3Protocol()) {
            throw S3Error.disabled();
        }
    }

    private static boolean isForm(HttpServerRequest request, String key, Map<String, String> parameters) {
        return request.method().equals(HttpMethod.POST)
                && key.isEmpty()
                && request.getHeader("authorization") == null
                && !parameters.containsKey("X-Amz-Algorithm")
                && FormReader.isForm(Objects.requireNonNullElse(request.getHeader("content-type"), ""));
    }

    private List<SignedAddress> addresses(DataPlaneExchange exchange) {
        HttpServerRequest request = exchange.request();
        String host = Optional.ofNullable(request.getHeader("host"))
                .orElseGet(() ->
                        request.authority() == null ? "" : request.authority().toString());
        boolean proxied = Optional.ofNullable(request.remoteAddress())
                .map(peer -> peer.hostAddress())
                .filter(proxies::isTrusted)
                .isPresent();
        Forwarded forwarded = proxied
                ? new Forwarded(
                        Optional.ofNullable(request.getHeader("x-forwarded-host")),
                        Optional.ofNullable(request.getHeader("x-forwarded-port")),
                        Optional.ofNullable(request.getHeader("x-forwarded-prefix")))
                : Forwarded.NOTHING;
        return SignedAddress.of(
                host, request.path(), forwarded, exchange.tenant().storageUrl(), exchange.path());
    }

    private void refuse(DataPlaneExchange exchange, Throwable failure) {
        S3Error error = failure instanceof S3Error refused ? refused : S3Error.of(failures.apply(failure, exchange));
        HttpServerRequest request = exchange.request();
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        for (String header : List.of(
                "content-length",
                "content-range",
                "content-disposition",
                "content-encoding",
                "etag",
                "last-modified",
                "cache-control")) {
            response.headers().remove(header);
        }
        error.contentRange().ifPresent(range -> response.putHeader("content-range", range));
        if (error.status() == 503) {
            response.putHeader("retry-after", "1");
        }
        response.setStatusCode(error.status()).putHeader("content-type", "application/xml");
        if (request.method().equals(HttpMethod.HEAD)) {
            response.end().onFailure(gone -> response.close());
        } else {
            response.end(XmlText.error(error, exchange.path().substring(PREFIX.length()), exchange.requestId()))
                    .onFailure(gone -> response.close());
        }
    }
}
