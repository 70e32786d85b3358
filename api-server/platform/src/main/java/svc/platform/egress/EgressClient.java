package svc.platform.egress;

import io.netty.util.NetUtil;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import svc.platform.egress.EgressFailedException.Reason;

/**
 * Calls addresses that a tenant chose (DESIGN, tenancy, rule 9). A name is resolved once, every address that it has must
 * be open by {@link AddressRules}, and the connection goes to the very address that was judged: a name that answers
 * otherwise a moment later changes nothing. Redirects are not followed, and size and time are bounded.
 */
public final class EgressClient implements AutoCloseable {
    private static final int AT_ONCE = 256;
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private final Vertx vertx;
    private final AddressRules rules;
    private final Duration limit;
    private final HttpClient http;
    private final HostLookup hosts;

    /** @param limit of a whole {@link #get}, and of connecting */
    public EgressClient(Vertx vertx, AddressRules rules, Duration limit) {
        this(vertx, rules, limit, new HostLookup(List.of(), limit));
    }

    /** @param hosts closed with this client */
    EgressClient(Vertx vertx, AddressRules rules, Duration limit, HostLookup hosts) {
        this.hosts = hosts;
        this.vertx = vertx;
        this.rules = rules;
        this.limit = limit;
        // No connection is kept: what was judged holds for one call. And many may go to one place at once, which
        // tenants
        // share who know nothing of each other: a slow call of one must not be in the way of another's.
        this.http = vertx.createHttpClient(
                new HttpClientOptions().setKeepAlive(false).setConnectTimeout((int) limit.toMillis()),
                new PoolOptions().setHttp1MaxSize(AT_ONCE));
    }

    /**
     * The body of a 200.
     *
     * @param maxBytes a longer one is refused while it comes
     * @return fails with {@link EgressFailedException} for everything else
     */
    public Future<Buffer> get(URI address, int maxBytes) {
        var call = new EgressCall(
                HttpMethod.GET, address, Map.of("Accept", "application/json"), Buffer.buffer(), maxBytes, limit);
        return call(call)
                .compose(answer -> answer.status() == 200
                        ? Future.succeededFuture(answer.body())
                        : Future.failedFuture(
                                new EgressFailedException(Reason.STATUS, "it answered " + answer.status())));
    }

    /**
     * Makes a call.
     *
     * @return fails with {@link EgressFailedException} when there is no whole answer
     */
    public Future<EgressAnswer> call(EgressCall call) {
        URI address = call.address();
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme) || address.getHost() == null || address.getUserInfo() != null) {
            return Future.failedFuture(
                    new EgressFailedException(Reason.REFUSED, "only http and https addresses are called"));
        }
        // The request is made on this context, where nothing of the answer arrives before its handlers are there.
        Context context = vertx.getOrCreateContext();
        Promise<EgressAnswer> answer = Promise.promise();
        Future<EgressAnswer> within = bounded(answer.future(), call.limit());
        addresses(address.getHost())
                .whenComplete((found, failure) -> context.runOnContext(now -> {
                    if (failure != null) {
                        answer.tryFail(failure);
                    } else {
                        judged(found)
                                .compose(target -> http.request(request(call, scheme.equals("https"), target)))
                                .compose(request -> {
                                    resetUnlessAnswered(request, within);
                                    return sent(request, call);
                                })
                                .onComplete(answer);
                    }
                }));
        return within.recover(failure -> Future.failedFuture(toFailure(failure)));
    }

    /**
     * Ends the connection of a call without a whole answer. Hazard: the library's own limit of time ends with the head of an
     * answer, and a receiver that sends no more would keep the connection, and its place, for ever. Also of a call that was
     * over before it had its connection.
     */
    private static void resetUnlessAnswered(HttpClientRequest request, Future<EgressAnswer> within) {
        within.onFailure(over -> request.reset());
    }

    /**
     * On the connection's thread, where nothing arrives before this has returned. A step added to the caller's chain may
     * be too late: the answer is there, and gone by, before the caller has been given the processor again.
     */
    private static Future<EgressAnswer> sent(HttpClientRequest request, EgressCall call) {
        call.headers().forEach(request::putHeader);
        Future<HttpClientResponse> response = call.body().length() == 0 ? request.send() : request.send(call.body());
        return response.compose(arriving -> whole(arriving, call.maxBytes()));
    }

    private CompletionStage<List<InetAddress>> addresses(String host) {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name)
                ? CompletableFuture.completedFuture(List.of(NetUtil.createInetAddressFromIpAddressString(name)))
                : hosts.find(name);
    }

    private Future<InetAddress> judged(List<InetAddress> addresses) {
        try {
            return Future.succeededFuture(rules.judged(addresses));
        } catch (EgressFailedException e) {
            return Future.failedFuture(e);
        }
    }

    private static RequestOptions request(EgressCall call, boolean tls, InetAddress target) {
        URI address = call.address();
        int port = address.getPort() > 0 ? address.getPort() : tls ? 443 : 80;
        String path = address.getRawPath() == null || address.getRawPath().isEmpty() ? "/" : address.getRawPath();
        return new RequestOptions()
                .setMethod(call.method())
                .setServer(SocketAddress.inetSocketAddress(port, target.getHostAddress()))
                .setHost(address.getHost())
                .setPort(port)
                .setSsl(tls)
                .setFollowRedirects(false)
                .setTimeout(call.limit().toMillis())
                .setURI(address.getRawQuery() == null ? path : path + "?" + address.getRawQuery());
    }

    private static Future<EgressAnswer> whole(HttpClientResponse response, int maxBytes) {
        Promise<EgressAnswer> whole = Promise.promise();
        Buffer collected = Buffer.buffer();
        response.handler(chunk -> {
            if (collected.length() + (long) chunk.length() > maxBytes) {
                whole.tryFail(
                        new EgressFailedException(Reason.TOO_LONG, "its answer is longer than " + maxBytes + " bytes"));
                response.request().reset();
            } else {
                collected.appendBuffer(chunk);
            }
        });
        response.exceptionHandler(whole::tryFail);
        response.endHandler(
                end -> whole.tryComplete(new EgressAnswer(response.statusCode(), response.headers(), collected)));
        return whole.future();
    }

    /** The whole call, the look-up of the name included. */
    private <T> Future<T> bounded(Future<T> answer, Duration time) {
        Promise<T> within = Promise.promise();
        long timer = vertx.setTimer(
                Math.max(1, time.toMillis()),
                late -> within.tryFail(new EgressFailedException(Reason.LATE, "it took longer than " + time)));
        answer.onComplete(end -> {
            vertx.cancelTimer(timer);
            if (end.succeeded()) {
                within.tryComplete(end.result());
            } else {
                within.tryFail(end.cause());
            }
        });
        return within.future();
    }

    private static EgressFailedException toFailure(Throwable failure) {
        return failure instanceof EgressFailedException known
                ? known
                : new EgressFailedException(Reason.UNREACHABLE, "it could not be reached", failure);
    }

    @Override
    public void close() {
        hosts.close();
        http.close();
    }
}
