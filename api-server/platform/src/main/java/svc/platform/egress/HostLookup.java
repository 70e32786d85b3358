package svc.platform.egress;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Pattern;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import svc.platform.egress.EgressFailedException.Reason;

/**
 * Looks up the addresses of hosts that tenants chose. A lookup holds no thread while it waits, so that a name server that
 * does not answer delays no other lookup. Each host is looked up once at a time. When too many lookups are under way the
 * oldest gives way to the new one: a name that is served is found within milliseconds, and the ones that wait for long are
 * those whose servers are silent, whichever project named them.
 */
public final class HostLookup implements AutoCloseable {
    /** Of all projects together; each holds a few hundred bytes. */
    static final int MAX_LOOKUPS = 2048;

    /** How long an address is believed, whatever its record says. */
    private static final Duration BELIEVED = Duration.ofSeconds(10);

    /** No name ends in a number (URL Standard, "ends in a number"); some libraries take such a text for an address. */
    private static final Pattern NUMBER = Pattern.compile("(^|\\.)([0-9]+|0[xX][0-9a-fA-F]*)\\.?$");

    private static final int MAX_BELIEVED = 10_000;
    private static final int MAX_QUERIES = 16;

    private final NioEventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("svc-dns", true));
    private final ConcurrentMap<String, Pending> underWay = new ConcurrentHashMap<>();

    /** The lookups under way in the order of their beginning, and some that have ended since. */
    private final Queue<Pending> inOrder = new ConcurrentLinkedQueue<>();

    private final Cache<String, List<InetAddress>> believed = Caffeine.newBuilder()
            .maximumSize(MAX_BELIEVED)
            .expireAfterWrite(BELIEVED)
            .build();
    private final List<InetSocketAddress> nameServers;
    private final Duration limit;
    private DnsNameResolver resolver;

    /** A lookup under way. */
    private record Pending(CompletableFuture<List<InetAddress>> found) {
        static Pending begun() {
            return new Pending(new CompletableFuture<>());
        }

        boolean isOver() {
            return found.isDone();
        }

        void giveWay() {
            found.completeExceptionally(
                    new EgressFailedException(Reason.UNREACHABLE, "too many names are being looked up"));
        }
    }

    /**
     * @param nameServers empty for those of this machine
     * @param limit of a whole lookup; it may need several queries
     */
    public HostLookup(List<InetSocketAddress> nameServers, Duration limit) {
        this.nameServers = List.copyOf(nameServers);
        this.limit = limit;
    }

    /** @return completes on any thread; fails with {@link UnknownHostException} or {@link EgressFailedException} */
    public CompletionStage<List<InetAddress>> find(String host) {
        if (NUMBER.matcher(host).find() && !NetUtil.isValidIpV4Address(host)) {
            return CompletableFuture.failedFuture(new EgressFailedException(
                    Reason.REFUSED, "the address is not public: it is a number, and neither a name nor an IP address"));
        }
        List<InetAddress> known = believed.getIfPresent(host);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        Pending begun = Pending.begun();
        Pending running = underWay.putIfAbsent(host, begun);
        if (running != null) {
            return running.found();
        }
        var unused = begun.found().whenComplete((addresses, failure) -> underWay.remove(host, begun));
        inOrder.add(begun);
        makeRoom();
        lookUp(host, begun.found());
        return begun.found();
    }

    private void makeRoom() {
        Pending oldest = inOrder.peek();
        while (oldest != null && (oldest.isOver() || underWay.size() > MAX_LOOKUPS)) {
            // Another thread may have removed it: then its lookup ends a little early.
            inOrder.remove(oldest);
            oldest.giveWay();
            oldest = inOrder.peek();
        }
    }

    private void lookUp(String host, CompletableFuture<List<InetAddress>> found) {
        try {
            Future<List<InetAddress>> lookup = resolver().resolveAll(host);
            var deadline = loop.schedule(() -> lookup.cancel(false), limit.toMillis(), TimeUnit.MILLISECONDS);
            var unused = found.whenComplete((addresses, failure) -> {
                deadline.cancel(false);
                lookup.cancel(false);
            });
            lookup.addListener(end -> {
                if (end.isSuccess()) {
                    List<InetAddress> addresses = List.copyOf(lookup.getNow());
                    believed.put(host, addresses);
                    found.complete(addresses);
                } else {
                    found.completeExceptionally(end.cause());
                }
            });
        } catch (RejectedExecutionException | IllegalArgumentException e) {
            // Closed, or a name that is none.
            found.completeExceptionally(e);
        }
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
