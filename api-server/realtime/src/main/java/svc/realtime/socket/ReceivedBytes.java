package svc.realtime.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.Optional;
import svc.platform.memory.ByteBudget;

/**
 * Counts the bytes of a message that is not complete yet, before the decoder collects them: beyond a usual message they are
 * the project's memory.
 */
final class ReceivedBytes extends ChannelInboundHandlerAdapter {
    private static final int USUAL = 16 << 10;

    private final ByteBudget.Account memory;
    private final long queue;
    private final Runnable refused;
    private Optional<ByteBudget.Permit> permit = Optional.empty();
    private long bytes;
    private boolean discarding;

    /** @param queue bytes that may wait for the client: one that leaves more of them unread and goes on sending is dropped */
    ReceivedBytes(ByteBudget.Account memory, long queue, Runnable refused) {
        this.memory = memory;
        this.queue = queue;
        this.refused = refused;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf part) {
            if (discarding) {
                part.release();
                return;
            }
            bytes += part.readableBytes();
            // Pings are answered by Vert.x, whether the answers are read or not.
            ChannelOutboundBuffer outbound = context.channel().unsafe().outboundBuffer();
            if (outbound != null && outbound.totalPendingWriteBytes() > queue) {
                part.release();
                refused.run();
                return;
            }
            if (bytes > USUAL) {
                if (permit.isEmpty()) {
                    permit = Optional.of(memory.open());
                }
                if (permit.get().grow(part.readableBytes()) != ByteBudget.Verdict.GRANTED) {
                    part.release();
                    refused.run();
                    return;
                }
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        messageEnded();
        context.fireChannelInactive();
    }

    /** Reads on, so that the client gets to its end and reads the answer, and keeps nothing. */
    void discard() {
        discarding = true;
        messageEnded();
    }

    /** Nothing of a message is kept any more. */
    void messageEnded() {
        bytes = 0;
        permit.ifPresent(ByteBudget.Permit::close);
        permit = Optional.empty();
    }
}
