package svc.server.connection;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import svc.platform.clientip.CallerAddress;
import svc.platform.config.ApiConfig;
import svc.platform.loop.LoopWatch;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.MemoryBudget;

/**
 * Puts a {@link ConnectionGuard} on each connection when it is accepted. Quarkus hands out neither its server nor the
 * listening socket, which is found through the first request that arrives on it; until then the framework's timeout of
 * idle connections applies alone.
 */
@Singleton
public final class ServerConnections {
    private static final AttributeKey<Boolean> GATED = AttributeKey.valueOf("svc.gated");
    private static final String NAME = "svc-connection";

    private final OpenConnections open;
    private final ConnectionRules rules;
    private final ByteBudget.Account strangers;
    private final LoopWatch loops;

    ServerConnections(
            ApiConfig config, CallerAddress addresses, MemoryBudget memory, MeterRegistry metrics, LoopWatch loops) {
        this.loops = loops;
        this.rules = ConnectionRules.of(
                config.limits().connections(), Runtime.getRuntime().maxMemory());
        this.open = new OpenConnections(rules, addresses);
        this.strangers = memory.bytes().account("heads of requests");
        metrics.gauge("svc.connections", open, OpenConnections::count);
    }

    /** Called with every request; does something for the first one of the socket, and of an older connection. */
    public void guard(HttpServerRequest request) {
        ConnectionGuard.channel(request)
                .filter(channel -> ConnectionGuard.of(request).isEmpty())
                .ifPresent(channel -> {
                    ConnectionGuard guard = guard(channel);
                    guard.requestBegan();
                    open.add(guard);
                    channel.pipeline().addFirst(NAME, guard);
                    guard.equip();
                    gate(channel.parent());
                });
    }

    private ConnectionGuard guard(Channel channel) {
        return new ConnectionGuard(open, rules, strangers, channel, loops);
    }

    private void gate(Channel listening) {
        if (listening != null && listening.attr(GATED).setIfAbsent(true) == null) {
            listening.pipeline().addFirst(NAME, new Gate());
        }
    }

    /** Before the handler of the listening socket that sets up what was accepted. */
    @Sharable
    private final class Gate extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            Channel channel = (Channel) accepted;
            ConnectionGuard guard = guard(channel);
            channel.pipeline().addFirst(NAME, open.admit(guard) ? guard : new Refused());
            context.fireChannelRead(accepted);
        }
    }

    /** Answers and closes, whatever is sent. */
    private static final class Refused extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            PlainResponse.TOO_MANY_CONNECTIONS.sendAndClose(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }
    }
}
