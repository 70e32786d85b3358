package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import svc.platform.loop.WatchedLoop;
import svc.platform.memory.ByteBudget;

/**
 * A session driven by an event loop: answers are handled on the loop's thread, which also handles HTTP requests, so that
 * a request needs no other thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The channel reports a failed write or close to fail().
final class LoopWire extends Wire {
    private final NioSocketChannel channel;
    private final Loop loop;

    /**
     * The loop that drives a session.
     *
     * @param watched measures what the loop does for it
     * @param what names that in the log
     */
    record Loop(EventLoop loop, WatchedLoop watched, Supplier<String> what) {}

    /** @param socket logged in, and read only here from now on */
    LoopWire(SocketChannel socket, Loop loop, long maxAnswerBytes, ByteBudget.Account memory) throws IOException {
        super(maxAnswerBytes, memory);
        this.loop = loop;
        this.channel = new NioSocketChannel(socket);
        channel.pipeline().addLast(new Reader());
        try {
            loop.loop().register(channel).sync();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            channel.close();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    void write(ByteBuf written) {
        channel.writeAndFlush(written, channel.voidPromise());
    }

    @Override
    public void close() {
        channel.writeAndFlush(terminateMessage()).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    void disconnect() {
        channel.close();
    }

    private final class Reader extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var in = (ByteBuf) message;
            long begun = loop.watched().begin(loop.what());
            try {
                received(in);
            } finally {
                loop.watched().end(begun);
                in.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            endOfStream();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(cause instanceof IOException broken ? broken : new IOException(cause));
            context.close();
        }
    }
}
