package svc.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.VertxHandler;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import svc.platform.loop.LoopWatch;
import svc.platform.loop.WatchedLoop;
import svc.platform.memory.ByteBudget;

/**
 * Watches one connection, as the handler next to the socket: closes it when it is idle for too long, when the head of a
 * request takes too long, and when its reader takes nothing of an answer. {@link HttpPhases} tells it where requests
 * and answers begin and end. Runs on the connection's event loop.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // A failed write or close ends the connection, and the channel fires its events.
public final class ConnectionGuard extends ChannelDuplexHandler {
    private static final AttributeKey<ConnectionGuard> KEY = AttributeKey.valueOf("svc.connection-guard");

    /** The name that Vert.x gives its own handler. */
    private static final String VERTX_HANDLER = "handler";

    /** Bytes of a head that no account is charged for: a usual head has fewer. */
    private static final int USUAL_HEAD = 8 << 10;

    private final OpenConnections connections;
    private final ConnectionRules rules;
    private final ByteBudget.Account strangers;
    private final Optional<String> address;
    private final Channel channel;
    private final LoopWatch loops;
    /** Asked when it turns out to be of interest: a request has its name only after it was read. */
    private final Supplier<String> named = () -> this.route.get();

    private WatchedLoop loop;
    private Supplier<String> route = () -> "a connection without a request";
    private Optional<ByteBudget.Permit> head = Optional.empty();
    private ByteBudget.Account owner;
    private ScheduledFuture<?> checks;
    private boolean equipped;
    private boolean receiving;
    private volatile Phase phase = Phase.IDLE;
    private volatile long since = System.nanoTime();
    private volatile boolean givesWay;
    private long headBytes;
    private final ReaderProgress reader;

    /** What the connection is used for. */
    private enum Phase {
        IDLE,
        /** Part of a request's head has arrived. */
        HEAD,
        /** A request or its answer is on its way. */
        BUSY,
        /** No longer HTTP. */
        UPGRADED,
        /** Closed as soon as the answer is sent. */
        REFUSED
    }

    ConnectionGuard(
            OpenConnections connections,
            ConnectionRules rules,
            ByteBudget.Account strangers,
            Channel channel,
            LoopWatch loops) {
        this.connections = connections;
        this.rules = rules;
        this.owner = strangers;
        this.strangers = strangers;
        this.channel = channel;
        this.reader = new ReaderProgress(channel);
        this.loops = loops;
        this.address = connections.address(channel);
        channel.attr(KEY).set(this);
    }

    /** The guard of a request's connection. */
    public static Optional<ConnectionGuard> of(HttpServerRequest request) {
        return channel(request).map(channel -> channel.attr(KEY).get());
    }

    static Optional<Channel> channel(HttpServerRequest request) {
        return request.connection() instanceof ConnectionBase connection
                ? Optional.of(connection.channel())
                : Optional.empty();
    }

    /** Names the current request, and what else arrives on the connection until the next one. */
    public void serves(Supplier<String> route) {
        this.route = route;
    }

    /** The current request and its answer are this owner's. */
    public void belongsTo(ByteBudget.Account account) {
        owner = account;
    }

    ByteBudget.Account owner() {
        return owner;
    }

    Optional<String> address() {
        return address;
    }

    boolean isIdle() {
        return phase == Phase.IDLE && !givesWay;
    }

    /** When the phase began, by the clock of {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** Closes the connection for the sake of another one, unless a request has arrived meanwhile. */
    void giveWay() {
        givesWay = true;
        channel.eventLoop().execute(() -> {
            if (phase == Phase.IDLE) {
                channel.close();
            }
            givesWay = false;
        });
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (channel.isActive()) {
            begin(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        begin(context);
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (checks != null) {
            checks.cancel(false);
        }
        endHead();
        connections.closed(this);
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!equipped) {
            equip();
        }
        if (message instanceof ByteBuf bytes && isOfHead() && !takes(bytes)) {
            refuse(context, PlainResponse.OVERLOADED);
        }
        if (phase == Phase.REFUSED) {
            ReferenceCountUtil.release(message);
        } else {
            if (loop == null) {
                loop = loops.of(context.executor());
            }
            long begun = loop.begin(named);
            try {
                context.fireChannelRead(message);
            } finally {
                loop.end(begun);
            }
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            reader.written(bytes.readableBytes());
        }
        context.write(message, promise);
    }

    /** The head of a request is complete. */
    void requestBegan() {
        receiving = true;
        become(Phase.BUSY);
        endHead();
    }

    /** The body of a request is complete, or it has none. */
    void requestEnded() {
        receiving = false;
    }

    /** An answer is complete, though it may wait for its reader. */
    void answerEnded() {
        if (phase != Phase.UPGRADED) {
            become(Phase.IDLE);
        }
    }

    /** The connection cannot be used any more. @param answer to the request that made it so; empty without one */
    void refuse(Optional<PlainResponse> answer) {
        ChannelHandlerContext context = channel.pipeline().context(this);
        answer.ifPresentOrElse(last -> refuse(context, last), () -> {
            become(Phase.REFUSED);
            // After what is written already, and not flushed yet.
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        });
    }

    /** From now on the two sides speak another protocol. */
    void upgraded() {
        become(Phase.UPGRADED);
    }

    private void begin(ChannelHandlerContext context) {
        if (checks == null) {
            long every = rules.check().toMillis();
            checks = context.executor()
                    .scheduleWithFixedDelay(() -> check(context), every, every, TimeUnit.MILLISECONDS);
        }
    }

    /** The pipeline is complete when the first bytes arrive. */
    void equip() {
        equipped = true;
        if (channel.pipeline().get(VERTX_HANDLER) instanceof VertxHandler<?> handler
                && handler.getConnection() instanceof Http1xServerConnection connection) {
            connection.invalidRequestHandler(InvalidRequest::answer);
            channel.pipeline().addBefore(VERTX_HANDLER, "svc-phases", new HttpPhases(this));
        }
    }

    /** What follows an answer that did not wait for the body is no head: it is dropped, and no account pays for it. */
    private boolean isOfHead() {
        return !receiving && (phase == Phase.IDLE || phase == Phase.HEAD);
    }

    /** Counts bytes of a head; false if there is no memory for so many. */
    private boolean takes(ByteBuf bytes) {
        if (phase == Phase.IDLE) {
            become(Phase.HEAD);
        }
        headBytes += bytes.readableBytes();
        if (headBytes <= USUAL_HEAD) {
            return true;
        }
        if (head.isEmpty()) {
            head = Optional.of(strangers.open());
        }
        return head.get().grow(bytes.readableBytes()) == ByteBudget.Verdict.GRANTED;
    }

    private void endHead() {
        head.ifPresent(ByteBudget.Permit::close);
        head = Optional.empty();
        headBytes = 0;
    }

    /** Answers before there is a request; what comes after that is dropped. */
    private void refuse(ChannelHandlerContext context, PlainResponse answer) {
        become(Phase.REFUSED);
        answer.sendAndClose(context);
    }

    private void become(Phase next) {
        phase = next;
        since = System.nanoTime();
    }

    private void check(ChannelHandlerContext context) {
        long now = System.nanoTime();
        // Not the channel's close(): Vert.x would wait there until all is written.
        if (reader.isStalled(now, rules.stalled()) || phase == Phase.REFUSED) {
            context.close();
        } else if (phase == Phase.HEAD && now - since > rules.head().toNanos()) {
            refuse(context, PlainResponse.HEAD_TIMEOUT);
        } else if (phase == Phase.IDLE
                && reader.hasTakenAll()
                && now - since > rules.idle().toNanos()) {
            context.close();
        }
    }
}
