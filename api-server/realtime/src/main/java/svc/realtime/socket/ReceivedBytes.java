package svc.realtime.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Optional;
import svc.platform.memory.ByteBudget;

/**
 * Counts the bytes of a message that is not complete yet, before the decoder collects them: beyond a usual message they are
 * the project's memory.
 */
final class ReceivedBytes extends ChannelInboundHandlerAdapter {
    private static final int USUAL = 16 << 10;

    private final ByteBudget.Account memory;
    private final Runnable refused;
    private Optional<ByteBudget.Permit> permit = Optional.empty();
    private long bytes;

    ReceivedBytes(ByteBudget.Account memory, Runnable refused) {
        this.memory = memory;
        this.refused = refused;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf part) {
            bytes += part.readableBytes();
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

    /** Nothing of a message is kept any more. */
    void messageEnded() {
        bytes = 0;
        permit.ifPresent(ByteBudget.Permit::close);
        permit = Optional.empty();
    }
}
