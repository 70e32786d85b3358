package svc.postgres.script;

import java.io.IOException;
import org.jboss.logging.Logger;
import svc.postgres.script.CopyPeer.Piece;

/**
 * Brings a caller's rows to the server, beside the thread that reads what the server says. Hazard: a trigger may raise a
 * notice for every row; a server that waits until these are read takes no more rows, so one thread for both would wait for
 * itself.
 */
final class CopyFeed implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(CopyFeed.class);

    private final CopyPeer peer;
    private final WireConnection wire;
    private final Thread thread;
    private volatile boolean over;

    private CopyFeed(CopyPeer peer, WireConnection wire) {
        this.peer = peer;
        this.wire = wire;
        this.thread = Thread.ofVirtual().name("feed-copy").unstarted(this::feed);
    }

    static CopyFeed start(CopyPeer peer, WireConnection wire) {
        var feed = new CopyFeed(peer, wire);
        feed.thread.start();
        return feed;
    }

    private void feed() {
        try {
            while (!over) {
                switch (peer.next()) {
                    case Piece.Data data -> wire.send(out -> out.copyData(data.bytes()));
                    case Piece.Done done -> {
                        wire.send(out -> out.copyDone());
                        return;
                    }
                    case Piece.Failed failed -> {
                        if (!over) {
                            wire.send(out -> out.copyFail(failed.reason()));
                        }
                        return;
                    }
                }
            }
        } catch (IOException e) {
            LOG.debugf("rows of a COPY did not reach the server, whose reader learns why: %s", e.toString());
        }
    }

    /** The statement is cancelled: the server checks for a cancellation only when a message has come. */
    void cancel() {
        peer.stop();
    }

    /** The server has ended the statement: it drops what is on its way. */
    @Override
    public void close() {
        over = true;
        peer.stop();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
