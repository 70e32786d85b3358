package svc.functions;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;
import svc.database.key.DerivedKey;
import svc.database.key.Purpose;
import svc.database.key.RuntimeToken;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ArtifactsUnavailableException;
import svc.functions.artifact.ContentHash;
import svc.functions.log.LogUnavailableException;
import svc.platform.config.PurposeRoots;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.RequestBody;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.Tenant;

/**
 * The endpoints for functions' processes: download of the code archive, and upload of log lines. Each process presents
 * the token of its own function, which is invalid for any other function or project.
 */
@ApplicationScoped
class RuntimeEndpoint {
    private static final Logger LOG = Logger.getLogger(RuntimeEndpoint.class);
    private static final Pattern ARCHIVE = Pattern.compile("/_runtime/archives/([0-9a-f]{64})");
    private static final Pattern LOGS = Pattern.compile("/_runtime/logs/([A-Za-z][A-Za-z0-9_-]{0,62})");
    private static final String BEARER = "Bearer ";
    private static final int LOG_BYTES = 256 * 1024;
    private static final long CACHED_BYTES = 64L << 20;

    /** The operator and this instance learn of a new version at the same time: the process that it starts may ask first. */
    private static final RetryPolicy DIRECTORY_LAG =
            RetryPolicy.maxAttempts(21).withDelay(Duration.ofMillis(100)).retryOn(failure -> false);

    private final FunctionDirectory directory;
    private final ArtifactStore artifacts;
    private final FunctionLogIntake log;
    private final PurposeRoots roots;
    private final ExecutorService threads;
    private final Cache<Cached, byte[]> cache = Caffeine.newBuilder()
            .maximumWeight(CACHED_BYTES)
            .weigher((Cached key, byte[] bytes) -> bytes.length)
            .build();

    RuntimeEndpoint(
            FunctionDirectory directory,
            ArtifactStore artifacts,
            FunctionLogIntake log,
            PurposeRoots roots,
            @VirtualThreads ExecutorService threads) {
        this.directory = directory;
        this.artifacts = artifacts;
        this.log = log;
        this.roots = roots;
        this.threads = threads;
    }

    private record Cached(UUID projectId, String hash) {}

    /** Called on the event loop, with the request paused. */
    void serve(DataPlaneExchange exchange) {
        Matcher archive = ARCHIVE.matcher(exchange.path());
        Matcher lines = LOGS.matcher(exchange.path());
        HttpMethod method = exchange.request().method();
        if (archive.matches() && method.equals(HttpMethod.GET)) {
            String hash = archive.group(1);
            exchange.request().resume();
            blocking(exchange, () -> archive(exchange, hash));
        } else if (lines.matches() && method.equals(HttpMethod.POST)) {
            String function = lines.group(1);
            if (!isOf(exchange, function)) {
                refuse(exchange, FunctionError.badRuntimeToken());
                return;
            }
            RequestBody.collect(
                    exchange.request(),
                    LOG_BYTES,
                    body -> blocking(exchange, () -> keep(exchange, function, body)),
                    () -> FunctionError.requestTooLarge(LOG_BYTES)
                            .send(exchange.request().response(), exchange.requestId()));
        } else {
            refuse(exchange, FunctionError.notFound());
        }
    }

    /** Returns an error to send; empty if the response was sent. */
    private interface Work {
        Optional<FunctionError> run() throws InterruptedException;
    }

    private void blocking(DataPlaneExchange exchange, Work work) {
        Context loop = Vertx.currentContext();
        threads.execute(() -> {
            Optional<FunctionError> error;
            try {
                error = work.run();
            } catch (ArtifactsUnavailableException | LogUnavailableException e) {
                error = Optional.of(FunctionError.storeUnavailable(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                error = Optional.of(FunctionError.storeUnavailable("this instance is shutting down"));
            } catch (RuntimeException e) {
                LOG.errorf(e, "%s failed", exchange.path());
                error = Optional.of(FunctionError.storeUnavailable("the platform failed to process this request"));
            }
            error.ifPresent(found ->
                    loop.runOnContext(now -> found.send(exchange.request().response(), exchange.requestId())));
        });
    }

    private Optional<FunctionError> archive(DataPlaneExchange exchange, String hex) throws InterruptedException {
        String contentHash = "sha256:" + hex;
        boolean allowed = DIRECTORY_LAG.callUntil(
                () -> mayRead(exchange, contentHash), known -> known || !isOfAnyFunction(exchange));
        if (!allowed) {
            return Optional.of(FunctionError.badRuntimeToken());
        }
        UUID project = exchange.tenant().projectId();
        byte[] bytes = cache.get(
                new Cached(project, hex),
                key -> artifacts
                        .find(project, ContentHash.parse(contentHash).orElseThrow())
                        .orElse(null));
        if (bytes == null) {
            return Optional.of(FunctionError.noArchive());
        }
        HttpServerResponse response = exchange.request().response();
        response.putHeader("content-type", "application/json");
        response.end(Buffer.buffer(bytes)).onFailure(gone -> response.close());
        return Optional.empty();
    }

    private boolean mayRead(DataPlaneExchange exchange, String contentHash) {
        return directory
                .withContent(exchange.tenant(), contentHash)
                .anyMatch(function -> isOf(exchange, function.getSpec().name()));
    }

    private Optional<FunctionError> keep(DataPlaneExchange exchange, String function, Buffer body) {
        return switch (LogLines.read(body.toString())) {
            case LogLines.Unreadable unreadable -> Optional.of(FunctionError.invalidLines(unreadable.why()));
            case LogLines.Read read -> {
                if (!log.append(exchange.tenant().projectId(), function, read.lines())) {
                    yield Optional.of(FunctionError.tooManyLines());
                }
                HttpServerResponse response = exchange.request().response();
                response.setStatusCode(204).end().onFailure(gone -> response.close());
                yield Optional.empty();
            }
        };
    }

    /** Whether the token belongs to any function of the project; otherwise waiting is pointless. */
    private boolean isOfAnyFunction(DataPlaneExchange exchange) {
        return directory.names(exchange.tenant()).anyMatch(name -> isOf(exchange, name));
    }

    private boolean isOf(DataPlaneExchange exchange, String function) {
        String header = exchange.request().getHeader("authorization");
        return header != null
                && header.startsWith(BEARER)
                && RuntimeToken.matches(header.substring(BEARER.length()).strip(), leaf(exchange.tenant()), function);
    }

    private DerivedKey leaf(Tenant tenant) {
        return roots.require(Purpose.FUNCTION_RUNTIME, tenant.masterKeyVersion())
                .leaf(tenant.scope());
    }

    private static void refuse(DataPlaneExchange exchange, FunctionError error) {
        error.send(exchange.request().response(), exchange.requestId());
        RequestBodyForwarder.discard(exchange.request(), Vertx.currentContext().owner());
    }
}
