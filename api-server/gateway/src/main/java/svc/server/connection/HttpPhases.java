package svc.server.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;
import svc.platform.dataplane.ResponseMemory;
import svc.platform.memory.ByteBudget;

/**
 * Follows the requests and answers of one connection, between the codec and Vert.x. Large parts of answers count for
 * the request's owner until the socket has taken them. They exist already, so they are charged and not refused: an owner
 * beyond its share is not served before its readers have read.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // A failed write or close ends the connection, and the channel fires its events.
final class HttpPhases extends ChannelDuplexHandler {
    /** Smaller parts fit into what each connection may buffer anyway. */
    private static final int LARGE = 16 << 10;

    private final ConnectionGuard guard;
    private int unanswered;
    private boolean answering;
    private boolean refused;

    HttpPhases(ConnectionGuard guard) {
        this.guard = guard;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (refused) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpRequest request && isOtherProtocol(request)) {
            // Vert.x would answer 501 without a body.
            ReferenceCountUtil.release(message);
            refuse(unanswered == 0, PlainResponse.OTHER_PROTOCOL);
        } else if (message instanceof HttpContent part
                && !(message instanceof HttpRequest)
                && part.decoderResult().isFailure()) {
            // Vert.x would close the connection without a word.
            part.release();
            refuse(unanswered == 1 && !answering, PlainResponse.INVALID_BODY);
        } else {
            if (message instanceof HttpRequest request) {
                normalizeVersion(request);
                unanswered++;
                guard.requestBegan();
            }
            if (message instanceof LastHttpContent) {
                guard.requestEnded();
            }
            context.fireChannelRead(message);
        }
    }

    private static boolean isOtherProtocol(HttpRequest request) {
        return request.decoderResult().isSuccess()
                && !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    }

    /** Vert.x compares versions by identity, and answers with that of the request, whatever it is. */
    private static void normalizeVersion(HttpRequest request) {
        boolean older = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        request.setProtocolVersion(older ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1);
    }

    /** @param due whether an answer can be sent: none has begun, and none is due before */
    private void refuse(boolean due, PlainResponse answer) {
        refused = true;
        guard.refuse(due ? Optional.of(answer) : Optional.empty());
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
        if (message instanceof HttpResponse) {
            answering = true;
        }
        int length = message instanceof HttpContent content ? content.content().readableBytes() : 0;
        Optional<ByteBudget.Permit> waiting =
                length < LARGE ? Optional.empty() : ResponseMemory.permit(context.channel(), guard.owner());
        if (waiting.isPresent()) {
            ByteBudget.Permit permit = waiting.get();
            permit.charge(length);
            context.write(message, promise.unvoid()).addListener(sent -> permit.close());
        } else {
            context.write(message, promise);
        }
        if (message instanceof LastHttpContent) {
            answering = false;
            ResponseMemory.answered(context.channel());
            unanswered = Math.max(0, unanswered - 1);
            if (unanswered == 0) {
                guard.answerEnded();
            }
        }
    }
}
