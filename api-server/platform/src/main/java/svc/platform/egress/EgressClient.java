package svc.platform.egress;

import io.netty.util.NetUtil;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import svc.platform.budget.Budget;
import svc.platform.egress.EgressFailedException.Reason;
import svc.platform.memory.ByteBudget;

/**
 * Calls addresses that a tenant chose (DESIGN, tenancy, rule 9), and other addresses outside of the platform. A name is resolved
 * once, every address that it has must be open by {@link AddressRules}, and the connection goes to the very address that was
 * judged: a name that answers otherwise a moment later changes nothing. Redirects are not followed. A call has one deadline
 * from resolving the name to the last byte of the answer, a limit of bytes, and a place among the calls of its project.
 */
public final class EgressClient implements AutoCloseable {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private static final int MAX_PORT = 65_535;

    /** Of all answers that arrive, where the process has no budget to share. */
    private static final long OWN_MEMORY = 64L << 20;

    private final Vertx vertx;
    private final AddressRules rules;
    private final Duration limit;
    private final HttpClient http;
    private final HostLookup hosts;
    private final CallShares shares;

    /** Published documents. They have shares apart: a project's slow webhooks must not delay the keys of its tokens. */
    private final CallShares documents;

    /** @param limit of a whole {@link #get}, and of connecting */
    public EgressClient(Vertx vertx, AddressRules rules, Duration limit) {
        this(vertx, rules, limit, new HostLookup(List.of(), limit), new ByteBudget(OWN_MEMORY));
    }

    /**
     * @param hosts closed with this client
     * @param memory of answers while they arrive
     */
    EgressClient(Vertx vertx, AddressRules rules, Duration limit, HostLookup hosts, ByteBudget memory) {
        this.hosts = hosts;
        this.vertx = vertx;
        this.rules = rules;
        this.limit = limit;
        this.shares = new CallShares("outgoing-calls", memory);
        this.documents = new CallShares("outgoing-documents", memory);
        // No connection is kept: what was judged holds for one call. And as many may go to one place as there are
        // calls: tenants share places without knowing, and a slow call of one must not be in the way of another's.
        this.http = vertx.createHttpClient(
                new HttpClientOptions()
                        .setKeepAlive(false)
                        .setConnectTimeout((int) limit.toMillis())
                        .setSslHandshakeTimeout(limit.toMillis())
                        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS),
                new PoolOptions().setHttp1MaxSize(2 * CallShares.MAX_CALLS));
    }

    /**
     * The body of a 200: a published document.
     *
     * @param owner the project that needs it
     * @param maxBytes a longer one is refused while it comes
     * @return fails with {@link EgressFailedException} for everything else
     */
    public Future<Buffer> get(CallOwner owner, URI address, int maxBytes) {
        var call = new EgressCall(
                HttpMethod.GET, address, Map.of("Accept", "application/json"), Buffer.buffer(), maxBytes, limit);
        return call(documents, owner, call)
                .compose(answer -> answer.status() == 200
                        ? Future.succeededFuture(answer.body())
                        : Future.failedFuture(
                                new EgressFailedException(Reason.STATUS, "it answered " + answer.status())));
    }

    /**
     * Makes a call for a project.
     *
     * @return fails with {@link EgressFailedException} when there is no whole answer
     */
    public Future<EgressResponse> call(CallOwner owner, EgressCall call) {
        return call(shares, owner, call);
    }

    /**
     * Makes a call to an address of the platform's own that is public to everyone, wherever the platform runs: the rules for
     * addresses of tenants do not judge it. Names below {@code localhost} are this machine (RFC 6761, 6.3).
     *
     * @param call the caller has found its address to be one that the platform serves to everyone
     * @return fails with {@link EgressFailedException} when there is no whole answer
     */
    public Future<EgressResponse> callPlatform(CallOwner owner, EgressCall call) {
        return call(shares, owner, call, List::getFirst);
    }

    private Future<EgressResponse> call(CallShares from, CallOwner owner, EgressCall call) {
        return call(from, owner, call, rules::judged);
    }

    private Future<EgressResponse> call(
            CallShares from, CallOwner owner, EgressCall call, Function<List<InetAddress>, InetAddress> judge) {
        URI address = call.address();
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme) || address.getHost() == null || address.getUserInfo() != null) {
            return Future.failedFuture(
                    new EgressFailedException(Reason.REFUSED, "only http and https addresses are called"));
        }
        if (address.getPort() == 0 || address.getPort() > MAX_PORT) {
            return Future.failedFuture(new EgressFailedException(Reason.REFUSED, "a port is between 1 and 65535"));
        }
        // The request is made on this context, where nothing of the answer arrives before its handlers are there.
        Context context = vertx.getOrCreateContext();
        var route = new EgressExchange.Route(
                addresses(address.getHost()), judge, target -> request(call, scheme.equals("https"), target), http);
        Promise<EgressResponse> answer = Promise.promise();
        context.runOnContext(now ->
                new EgressExchange(context, from, owner, call).begin(route).onComplete(answer));
        return answer.future();
    }

    private CompletionStage<List<InetAddress>> addresses(String host) {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        if (name.endsWith(".localhost")) {
            return CompletableFuture.completedFuture(List.of(NetUtil.LOCALHOST4));
        }
        return NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name)
                ? CompletableFuture.completedFuture(List.of(NetUtil.createInetAddressFromIpAddressString(name)))
                : hosts.find(name);
    }

    /** Without a timeout of the library: it would race with the deadline of the call, and be reported as unreachable. */
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
                .setURI(address.getRawQuery() == null ? path : path + "?" + address.getRawQuery());
    }

    /** For metrics. */
    List<Budget> budgets() {
        return List.of(shares.calls(), documents.calls());
    }

    @Override
    public void close() {
        hosts.close();
        http.close();
    }
}
