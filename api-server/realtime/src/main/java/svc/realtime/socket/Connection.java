package svc.realtime.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrameEncoder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;
import svc.platform.memory.ByteBudget;
import svc.realtime.message.Frame;
import svc.realtime.message.MalformedMessage;
import svc.realtime.message.RawJson;

/**
 * One WebSocket. Its methods are called on its event loop. What waits for the client is bounded: a client that does not read
 * receives the reason and is disconnected.
 *
 * <p>Frames are encoded once for all receivers, so they are written behind Vert.x's encoder, to the socket's own pipeline.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // A failed write or close ends the connection, and the socket fires its events.
public final class Connection {
    /** Bytes that may wait in each socket without being counted. */
    private static final int FREE = 64 << 10;

    private static final int FORCE_AFTER_SECONDS = 5;
    private static final short INVALID_DATA = 1007;
    private static final short UNSUPPORTED = 1003;
    private static final short TOO_BIG = 1009;
    private static final short TRY_LATER = 1013;

    private static final String TOO_LONG = "A message has at most %d bytes";

    private final ServerWebSocket socket;
    private final Channel channel;
    private final ChannelHandlerContext encoder;
    private final ByteBudget.Account memory;
    private final SocketLimits limits;
    private final ReceivedBytes received;
    private Receiver receiver;
    private Buffer partial;
    private boolean partialIsText;
    private boolean closing;
    private boolean ended;
    private boolean flushing;
    private boolean paced;
    private volatile long lastReceived = System.nanoTime();

    /** Takes what the client sends. */
    public interface Receiver {
        void text(String message) throws MalformedMessage;

        void binary(Buffer message) throws MalformedMessage;

        /** Once: nothing is received any more, and nothing can be sent. */
        void ended();
    }

    private Connection(ServerWebSocket socket, Channel channel, ByteBudget.Account memory, SocketLimits limits) {
        this.socket = socket;
        this.channel = channel;
        this.encoder = channel.pipeline().context(WebSocketFrameEncoder.class);
        this.memory = memory;
        this.limits = limits;
        this.received =
                new ReceivedBytes(memory, 2 * limits.queue(), () -> close(TRY_LATER, "The project's memory is in use"));
    }

    /** The connection of a request that became a WebSocket. */
    public static Connection of(
            HttpServerRequest request, ServerWebSocket socket, ByteBudget.Account memory, SocketLimits limits) {
        return new Connection(socket, ((ConnectionBase) request.connection()).channel(), memory, limits);
    }

    /** Begins to read. */
    public void begin(Receiver to) {
        receiver = to;
        String decoder = channel.pipeline().context(WebSocketFrameDecoder.class).name();
        channel.pipeline().addBefore(decoder, "svc-received", received);
        channel.pipeline().addAfter(decoder, "svc-faults", new FrameFaults(this::refuse));
        socket.frameHandler(this::take);
        socket.exceptionHandler(broken -> {});
        socket.closeHandler(gone -> end());
    }

    public EventLoop loop() {
        return channel.eventLoop();
    }

    /** Runs on the event loop, at once if this is it. */
    public void run(Runnable action) {
        if (channel.eventLoop().inEventLoop()) {
            action.run();
        } else {
            channel.eventLoop().execute(action);
        }
    }

    /** Runs on the event loop after a while. */
    public void later(long millis, Runnable action) {
        channel.eventLoop().schedule(action, millis, TimeUnit.MILLISECONDS);
    }

    /** When a message or a ping last came, by {@link System#nanoTime}. */
    public long lastReceived() {
        return lastReceived;
    }

    /** Sends a message at the end of this turn of the event loop. */
    public void send(Frame frame) {
        if (write(frame)) {
            flushSoon();
        }
    }

    /**
     * Sends one of many messages that nothing waits for, such as a table change. If the event loop has flushed such messages a
     * moment ago, this one waits for others, at most {@link PacedFlushes#INTERVAL}: the write to the socket costs more than all
     * else about it.
     */
    public void sendPaced(Frame frame) {
        if (write(frame) && !paced) {
            paced = true;
            PacedFlushes.ofThisLoop().add(this);
        }
    }

    /** @return whether the frame waits for a flush */
    private boolean write(Frame frame) {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        if (closing || outbound == null) {
            return false;
        }
        long waiting = outbound.totalPendingWriteBytes();
        if (waiting + frame.length() <= FREE) {
            encoder.write(frame.bytes(), encoder.voidPromise());
            return true;
        }
        ByteBudget.Permit permit = memory.open();
        if (waiting > limits.queue() || permit.grow(frame.length()) != ByteBudget.Verdict.GRANTED) {
            permit.close();
            close(TRY_LATER, "Too slow: messages were not read in time");
            return false;
        }
        ChannelPromise sent = encoder.newPromise();
        sent.addListener(end -> permit.close());
        encoder.writeAndFlush(frame.bytes(), sent);
        return false;
    }

    /** Tells the client why, and ends the connection also if that is not read. */
    public void close(int code, String reason) {
        if (closing) {
            return;
        }
        closing = true;
        socket.close((short) code, reason);
        channel.eventLoop().schedule(this::force, FORCE_AFTER_SECONDS, TimeUnit.SECONDS);
        end();
    }

    /** The decoder reads nothing after a frame that it refused. */
    private void refuse(int code, String reason) {
        received.discard();
        close(code, code == TOO_BIG ? TOO_LONG.formatted(limits.message()) : reason);
    }

    /** Not the channel's close(): Vert.x would wait there until all is written. */
    private void force() {
        if (channel.isOpen()) {
            channel.pipeline().firstContext().close();
        }
    }

    private void end() {
        closing = true;
        partial = null;
        received.messageEnded();
        if (!ended) {
            ended = true;
            receiver.ended();
        }
    }

    /** Several messages of one turn of the event loop become one write to the socket. */
    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            channel.eventLoop().execute(() -> {
                flushing = false;
                encoder.flush();
            });
        }
    }

    /** What was sent paced goes to the socket. */
    void flushPaced() {
        paced = false;
        encoder.flush();
    }

    private void take(WebSocketFrame frame) {
        lastReceived = System.nanoTime();
        if (closing || frame.isClose() || frame.isPing()) {
            return;
        }
        boolean text = frame.isContinuation() ? partialIsText : frame.isText();
        Buffer bytes = frame.binaryData();
        if (frame.isContinuation()) {
            if (partial == null) {
                return;
            }
            if (partial.length() + bytes.length() > limits.message()) {
                close(TOO_BIG, TOO_LONG.formatted(limits.message()));
                return;
            }
            partial.appendBuffer(bytes);
            bytes = partial;
        }
        if (!frame.isFinal()) {
            partialIsText = text;
            partial = frame.isContinuation() ? partial : Buffer.buffer().appendBuffer(bytes);
            return;
        }
        partial = null;
        deliver(text, bytes);
        received.messageEnded();
    }

    private void deliver(boolean text, Buffer bytes) {
        try {
            if (text) {
                receiver.text(RawJson.text(bytes));
            } else {
                receiver.binary(bytes);
            }
        } catch (MalformedMessage e) {
            close(text ? INVALID_DATA : UNSUPPORTED, "Malformed message: " + e.getMessage());
        }
    }
}
