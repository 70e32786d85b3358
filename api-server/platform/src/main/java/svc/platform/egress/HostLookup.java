package svc.platform.egress;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import svc.platform.egress.EgressFailedException.Reason;

/**
 * Looks up the addresses of hosts that tenants chose. A lookup holds no thread while it waits, so that a name server that
 * does not answer delays nobody else; each host is looked up once at a time, so that a project has as many lookups under
 * way as its settings name hosts.
 */
final class HostLookup implements AutoCloseable {
    /** Of all projects together; each holds a few hundred bytes. */
    private static final int MAX_LOOKUPS = 2048;

    /** How long an address is believed, whatever its record says. */
    private static final Duration BELIEVED = Duration.ofSeconds(10);

    private static final int MAX_BELIEVED = 10_000;
    private static final int MAX_QUERIES = 16;

    private final NioEventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("svc-dns", true));
    private final ConcurrentMap<String, CompletableFuture<List<InetAddress>>> underWay = new ConcurrentHashMap<>();
    private final Cache<String, List<InetAddress>> believed = Caffeine.newBuilder()
            .maximumSize(MAX_BELIEVED)
            .expireAfterWrite(BELIEVED)
            .build();
    private final List<InetSocketAddress> nameServers;
    private final Duration limit;
    private DnsNameResolver resolver;

    /**
     * @param nameServers empty for those of this machine
     * @param limit of a whole lookup; it may need several queries
     */
    HostLookup(List<InetSocketAddress> nameServers, Duration limit) {
        this.nameServers = List.copyOf(nameServers);
        this.limit = limit;
    }

    /** @return completes on any thread; fails with {@link UnknownHostException} or {@link EgressFailedException} */
    CompletionStage<List<InetAddress>> find(String host) {
        List<InetAddress> known = believed.getIfPresent(host);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        if (underWay.size() >= MAX_LOOKUPS && !underWay.containsKey(host)) {
            return CompletableFuture.failedFuture(
                    new EgressFailedException(Reason.UNREACHABLE, "too many names are being looked up"));
        }
        var found = new CompletableFuture<List<InetAddress>>();
        CompletableFuture<List<InetAddress>> running = underWay.putIfAbsent(host, found);
        if (running != null) {
            return running;
        }
        try {
            Future<List<InetAddress>> lookup = resolver().resolveAll(host);
            var deadline = loop.schedule(() -> lookup.cancel(false), limit.toMillis(), TimeUnit.MILLISECONDS);
            lookup.addListener(end -> {
                deadline.cancel(false);
                if (end.isSuccess()) {
                    List<InetAddress> addresses = List.copyOf(lookup.getNow());
                    believed.put(host, addresses);
                    underWay.remove(host);
                    found.complete(addresses);
                } else {
                    underWay.remove(host);
                    found.completeExceptionally(end.cause());
                }
            });
        } catch (RejectedExecutionException | IllegalArgumentException e) {
            // Closed, or a name that is none.
            underWay.remove(host);
            found.completeExceptionally(e);
        }
        return found;
    }

    /** On first use: most processes of tests call literal addresses only. */
    private synchronized DnsNameResolver resolver() {
        if (resolver == null) {
            resolver = new DnsNameResolverBuilder(loop.next())
                    .datagramChannelType(NioDatagramChannel.class)
                    .nameServerProvider(
                            nameServers.isEmpty()
                                    ? DnsServerAddressStreamProviders.platformDefault()
                                    : new SequentialDnsServerAddressStreamProvider(nameServers))
                    .queryTimeoutMillis(Math.max(1, limit.toMillis() / 2))
                    .maxQueriesPerResolve(MAX_QUERIES)
                    // Netty's own caches have no bound.
                    .resolveCache(NoopDnsCache.INSTANCE)
                    .cnameCache(NoopDnsCnameCache.INSTANCE)
                    .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                    .build();
        }
        return resolver;
    }

    @Override
    public synchronized void close() {
        if (resolver != null) {
            resolver.close();
        }
        var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
