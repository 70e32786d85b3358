package svc.server.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import svc.platform.memory.ByteBudget;

/**
 * Follows the requests and answers of one connection, between the codec and Vert.x. Large parts of answers count for
 * the request's owner until the socket has taken them. They exist already, so they are charged and not refused: an owner
 * beyond its share is not served before its readers have read.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A failed write or close ends the connection, which is told to all.
final class HttpPhases extends ChannelDuplexHandler {
    /** Smaller parts fit into what each connection may buffer anyway. */
    private static final int LARGE = 16 << 10;

    private final ConnectionGuard guard;
    private int unanswered;

    HttpPhases(ConnectionGuard guard) {
        this.guard = guard;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            unanswered++;
            guard.requestBegan();
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean informational =
                message instanceof HttpResponse head && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (informational) {
            if (((HttpResponse) message).status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
                guard.upgraded();
            }
            context.write(message, promise);
            return;
        }
        int length = message instanceof HttpContent content ? content.content().readableBytes() : 0;
        if (length < LARGE) {
            context.write(message, promise);
        } else {
            ByteBudget.Permit waiting = guard.owner().open();
            waiting.charge(length);
            context.write(message, promise.unvoid()).addListener(sent -> waiting.close());
        }
        if (message instanceof LastHttpContent) {
            unanswered = Math.max(0, unanswered - 1);
            if (unanswered == 0) {
                guard.answerEnded();
            }
        }
    }
}
