package svc.postgres.script;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.util.Optional;
import svc.postgres.wire.ServerMessages.Content;
import svc.postgres.wire.ServerMessages.Pieces;

/** The COPY in the answer to one message: between the server and the caller's end, or refused where the caller has none. */
final class CopyExchange implements AutoCloseable {
    private final Optional<CopyPeer> peer;
    private final WireConnection wire;
    private volatile Optional<CopyFeed> feed = Optional.empty();

    CopyExchange(Optional<CopyPeer> peer, WireConnection wire) {
        this.peer = peer;
        this.wire = wire;
    }

    /** What becomes of a message of rows: it is passed on as it arrives, however long it is. */
    Content content(int length) {
        if (peer.isEmpty()) {
            return Content.SKIPPED;
        }
        CopyPeer caller = peer.get();
        caller.message(length);
        return (Pieces) caller::piece;
    }

    /** CopyInResponse. */
    void in(ByteBuf layout) throws IOException {
        if (peer.isEmpty()) {
            wire.send(out -> out.copyFail("no data comes with a script"));
            return;
        }
        peer.get().receiving(ByteBufUtil.getBytes(layout));
        feed = Optional.of(CopyFeed.start(peer.get(), wire));
    }

    /** CopyOutResponse. */
    void out(ByteBuf layout) {
        peer.ifPresent(caller -> caller.sending(ByteBufUtil.getBytes(layout)));
    }

    /** CopyDone. */
    void done() {
        peer.ifPresent(CopyPeer::sent);
    }

    /** The statement is cancelled. Called by any thread. */
    void cancel() {
        feed.ifPresent(CopyFeed::cancel);
    }

    /** The server has ended the statement, or is lost. */
    @Override
    public void close() {
        feed.ifPresent(CopyFeed::close);
        feed = Optional.empty();
    }
}
