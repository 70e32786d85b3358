package svc.testing;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import svc.embedded.kubernetes.http.TlsIdentity;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;

/**
 * A proxy between the platform and PostgreSQL: adds TLS where PostgreSQL has none, and breaks connections on demand.
 */
public final class DatabaseProxy implements AutoCloseable {
    private static final int SSL_REQUEST_BYTES = 8;
    private static final long NEVER = Long.MAX_VALUE;

    private final Vertx vertx = Vertx.vertx();
    private final URI upstream;
    private final boolean tls;
    private final AtomicLong left = new AtomicLong(NEVER);
    private final AtomicReference<String> last = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final NetServer server;
    private volatile boolean stopped;

    /** @param tls whether to require TLS */
    public DatabaseProxy(String jdbcUrl, boolean tls) {
        this.upstream = URI.create(jdbcUrl.substring("jdbc:".length()));
        this.tls = tls;
        TlsIdentity identity = TlsIdentity.generate(Clock.systemUTC());
        this.server = vertx.createNetServer(new NetServerOptions()
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setKeyValue(Buffer.buffer(identity.keyPem()))
                                .setCertValue(Buffer.buffer(identity.certificatePem()))))
                .connectHandler(this::accept)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /** The same project, reached through this proxy. */
    public Tenant before(Tenant tenant) {
        String url = "jdbc:postgresql://127.0.0.1:" + server.actualPort() + upstream.getPath() + "?sslmode="
                + (tls ? "require" : "disable");
        return new Tenant(
                tenant.ref(),
                tenant.names(),
                tenant.scope(),
                tenant.masterKeyVersion(),
                tenant.keyVersions(),
                new DatabaseAddress(tenant.database().name(), url),
                tenant.organization(),
                tenant.restUrl(),
                tenant.rest());
    }

    /** Closes the connection that the server sends its next bytes on, after that many bytes; once. */
    public void cutAfter(long bytes) {
        left.set(bytes);
    }

    /** Closes the connection that the server next sends these bytes on, right after them; once. */
    public void cutBehind(String latin1) {
        last.set(latin1);
    }

    /** Accepts connections and passes nothing on, as a server that was stopped. */
    public void stop() {
        stopped = true;
    }

    /** Works again, for new connections. */
    public void go() {
        stopped = false;
    }

    /** Number of closed connections. */
    public int cuts() {
        return cuts.get();
    }

    /** Number of writes by the client, if each is answered before the next. */
    public int writes() {
        return writes.get();
    }

    private void accept(NetSocket client) {
        client.pause();
        if (stopped) {
            return;
        }
        vertx.createNetClient().connect(upstream.getPort(), upstream.getHost()).onSuccess(database -> {
            if (!tls) {
                join(client, database);
                return;
            }
            client.handler(request -> {
                if (request.length() == SSL_REQUEST_BYTES) {
                    client.pause();
                    client.write(Buffer.buffer("S"));
                    client.upgradeToSsl().onSuccess(secure -> join(client, database));
                } else {
                    client.close();
                }
            });
            client.resume();
        });
    }

    private void join(NetSocket client, NetSocket database) {
        client.handler(question -> {
            writes.incrementAndGet();
            if (!stopped) {
                database.write(question);
            }
        });
        // The end of what was passed on: a mark may come in two reads.
        var tail = new AtomicReference<>("");
        database.handler(answer -> {
            String mark = last.get();
            String before = mark == null ? "" : tail.get();
            String text = before + answer.toString(StandardCharsets.ISO_8859_1);
            int found = mark == null ? -1 : text.indexOf(mark);
            tail.set(mark == null ? "" : text.substring(Math.max(0, text.length() - mark.length() + 1)));
            if (found >= 0 && last.compareAndSet(mark, null)) {
                client.write(answer.slice(0, found + mark.length() - before.length()));
                cuts.incrementAndGet();
                client.close();
                return;
            }
            if (left.get() != NEVER && left.addAndGet(-answer.length()) <= 0) {
                client.write(answer.slice(0, (int) Math.max(0, answer.length() + left.getAndSet(NEVER))));
                cuts.incrementAndGet();
                client.close();
                return;
            }
            client.write(answer);
            if (client.writeQueueFull()) {
                database.pause();
                client.drainHandler(drained -> database.resume());
            }
        });
        client.closeHandler(gone -> database.close());
        database.closeHandler(gone -> client.close());
        client.resume();
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
