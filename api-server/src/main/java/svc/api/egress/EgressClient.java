package svc.api.egress;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;

/**
 * Calls addresses that a tenant chose (DESIGN, tenancy, rule 9). A name is resolved once, every address that it has must be
 * open by {@link AddressRules}, and the connection goes to the very address that was judged: a name that answers otherwise a
 * moment later changes nothing. Redirects are not followed, and size and time are bounded.
 */
public final class EgressClient implements AutoCloseable {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private final Vertx vertx;
    private final AddressRules rules;
    private final Duration limit;
    private final HttpClient http;

    /** @param limit of a whole call, from resolving the name to the last byte */
    public EgressClient(Vertx vertx, AddressRules rules, Duration limit) {
        this.vertx = vertx;
        this.rules = rules;
        this.limit = limit;
        // No connection is kept: what was judged holds for one call.
        this.http = vertx.createHttpClient(
                new HttpClientOptions().setKeepAlive(false).setConnectTimeout((int) limit.toMillis()));
    }

    /**
     * The body of a 200.
     *
     * @param maxBytes a longer one is refused while it comes
     * @return fails with {@link EgressFailedException} for everything else
     */
    public Future<Buffer> get(URI address, int maxBytes) {
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(java.util.Locale.ROOT);
        if (!SCHEMES.contains(scheme) || address.getHost() == null || address.getUserInfo() != null) {
            return Future.failedFuture(new EgressFailedException("only http and https addresses are called"));
        }
        Future<Buffer> body = vertx.executeBlocking(() -> open(address.getHost()), false)
                .compose(target -> http.request(request(address, scheme.equals("https"), target)))
                .compose(request ->
                        request.putHeader("Accept", "application/json").send())
                .compose(response -> body(response, maxBytes));
        return bounded(body).recover(failure -> Future.failedFuture(told(failure)));
    }

    private InetAddress open(String host) throws UnknownHostException {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return rules.resolve(name);
    }

    private RequestOptions request(URI address, boolean tls, InetAddress target) {
        int port = address.getPort() > 0 ? address.getPort() : tls ? 443 : 80;
        String path = address.getRawPath() == null || address.getRawPath().isEmpty() ? "/" : address.getRawPath();
        return new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setServer(SocketAddress.inetSocketAddress(port, target.getHostAddress()))
                .setHost(address.getHost())
                .setPort(port)
                .setSsl(tls)
                .setFollowRedirects(false)
                .setTimeout(limit.toMillis())
                .setURI(address.getRawQuery() == null ? path : path + "?" + address.getRawQuery());
    }

    private static Future<Buffer> body(HttpClientResponse response, int maxBytes) {
        if (response.statusCode() != 200) {
            response.request().reset();
            return Future.failedFuture(new EgressFailedException("it answered " + response.statusCode()));
        }
        Promise<Buffer> whole = Promise.promise();
        Buffer collected = Buffer.buffer();
        response.handler(chunk -> {
            if (collected.length() + (long) chunk.length() > maxBytes) {
                whole.tryFail(new EgressFailedException("its answer is longer than " + maxBytes + " bytes"));
                response.request().reset();
            } else {
                collected.appendBuffer(chunk);
            }
        });
        response.exceptionHandler(whole::tryFail);
        response.endHandler(end -> whole.tryComplete(collected));
        return whole.future();
    }

    /** Resolving a name has no limit of its own. */
    private Future<Buffer> bounded(Future<Buffer> body) {
        Promise<Buffer> within = Promise.promise();
        long timer = vertx.setTimer(
                limit.toMillis(), late -> within.tryFail(new EgressFailedException("it took longer than " + limit)));
        body.onComplete(end -> {
            vertx.cancelTimer(timer);
            if (end.succeeded()) {
                within.tryComplete(end.result());
            } else {
                within.tryFail(end.cause());
            }
        });
        return within.future();
    }

    private static EgressFailedException told(Throwable failure) {
        return failure instanceof EgressFailedException known
                ? known
                : new EgressFailedException("it could not be reached", failure);
    }

    @Override
    public void close() {
        http.close();
    }
}
