package svc.realtime.socket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import java.util.function.BiConsumer;

/**
 * Answers a frame that the decoder refuses, such as one that is too large, by a close frame with its code (RFC 6455, 7.4).
 * Vert.x would close the connection without one.
 */
final class FrameFaults extends ChannelInboundHandlerAdapter {
    private final BiConsumer<Integer, String> refused;

    /** @param refused takes the close code and its reason */
    FrameFaults(BiConsumer<Integer, String> refused) {
        this.refused = refused;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof CorruptedWebSocketFrameException fault) {
            refused.accept(fault.closeStatus().code(), fault.closeStatus().reasonText());
        } else {
            context.fireExceptionCaught(cause);
        }
    }
}
