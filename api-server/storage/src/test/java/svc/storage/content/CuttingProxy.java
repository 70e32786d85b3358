package svc.storage.content;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy before S3 that breaks a configured number of answers after some of their bytes. */
final class CuttingProxy implements AutoCloseable {
    private final URI upstream;
    private final Vertx vertx;
    private final NetServer server;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile int bytes;

    CuttingProxy(Vertx vertx, URI upstream) {
        this.vertx = vertx;
        this.upstream = upstream;
        this.server = vertx.createNetServer()
                .connectHandler(this::accept)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    /** The next so many connections break when so many bytes of answers have passed. */
    void cut(int connections, int after) {
        bytes = after;
        cuts.set(connections);
    }

    int left() {
        return cuts.get();
    }

    private void accept(NetSocket client) {
        client.pause();
        vertx.createNetClient().connect(upstream.getPort(), upstream.getHost()).onSuccess(s3 -> {
            int[] passed = {0};
            s3.handler(piece -> {
                passed[0] += piece.length();
                if (cuts.get() > 0 && passed[0] > bytes) {
                    cuts.decrementAndGet();
                    client.write(piece.slice(0, Math.max(0, piece.length() - (passed[0] - bytes))))
                            .onComplete(written -> client.close());
                    s3.handler(rest -> {});
                } else {
                    client.write(piece);
                }
            });
            s3.closeHandler(gone -> client.close());
            client.handler(s3::write);
            client.closeHandler(gone -> s3.close());
            client.resume();
        });
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}
