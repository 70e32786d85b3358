package svc.embedded.kubernetes.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.log.PodLogSource;
import svc.embedded.kubernetes.store.ObjectStore;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.write.ObjectDeletion;
import svc.embedded.kubernetes.write.ObjectWrites;

/**
 * The HTTP side: TLS on the loopback interface, bodies in, documents and watches out. Event loops only move bytes;
 * every request is worked on by a virtual thread, because a write waits for the disk.
 */
public final class ApiServer implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    // What an API server's etcd takes, and a little more for the encoding.
    private static final int MAX_BODY_BYTES = 3 << 20;
    private static final int MAX_LINE_BYTES = 64 << 10;

    private final ObjectStore store;
    private final ApiRouter router;
    private final LogEndpoint logs;
    private final Vertx vertx;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /** Listens.
     *
     * @param port 0 for any free one
     * @throws IOException when the port is taken */
    public ApiServer(
            ObjectStore store,
            ResourceCatalog catalog,
            ObjectWrites writes,
            ObjectDeletion deletion,
            BearerToken token,
            TlsIdentity identity,
            int port)
            throws IOException {
        this.store = store;
        this.logs = new LogEndpoint(store);
        this.router = new ApiRouter(
                catalog, new ResourceEndpoint(store, writes, deletion), new ScaleEndpoint(store, writes), logs, token);
        this.vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(2)
                .setUseDaemonThread(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        HttpServerOptions options = new HttpServerOptions()
                .setHost(LOOPBACK)
                .setPort(port)
                .setSsl(true)
                .setUseAlpn(false)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setKeyValue(Buffer.buffer(identity.keyPem()))
                        .setCertValue(Buffer.buffer(identity.certificatePem())))
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setMaxHeaderSize(MAX_LINE_BYTES);
        try {
            this.server = await(
                    vertx.createHttpServer(options).requestHandler(this::handle).listen());
        } catch (IOException e) {
            closeVertx();
            throw new IOException("while listening on %s:%d".formatted(LOOPBACK, port), e);
        }
    }

    public int port() {
        return server.actualPort();
    }

    /** From now on logs of pods are read there. */
    public void serveLogs(PodLogSource source) {
        logs.serve(source);
    }

    /** Stops listening and breaks off every connection. */
    @Override
    public void close() throws IOException {
        try {
            await(server.close());
        } finally {
            // Requests under way end by themselves; an interrupt could hit one in the middle of a write.
            workers.close();
            closeVertx();
        }
    }

    private void closeVertx() throws IOException {
        await(vertx.close());
    }

    private void handle(HttpServerRequest request) {
        if (isWebSocket(request)) {
            // The upgrade is possible only as long as the end of the request has not been read.
            request.pause();
            work(request, new byte[0]);
            return;
        }
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() <= MAX_BODY_BYTES) {
                body.appendBuffer(chunk);
            }
        });
        request.endHandler(end -> {
            if (body.length() > MAX_BODY_BYTES) {
                write(request.response(), Answer.failure(ApiFailure.tooLarge(MAX_BODY_BYTES)));
            } else {
                work(request, body.getBytes());
            }
        });
    }

    private void work(HttpServerRequest request, byte[] body) {
        Context context = vertx.getOrCreateContext();
        ApiRequest read = read(request, body);
        String authorization = header(request, "Authorization");
        workers.execute(() -> {
            Answer answer = router.answer(read, authorization);
            context.runOnContext(now -> write(context, request, answer));
        });
    }

    private void write(Context context, HttpServerRequest request, Answer answer) {
        if (request.response().closed()) {
            return;
        }
        switch (answer) {
            case Answer.Document document -> write(request.response(), document);
            case Answer.Watch watch
            when isWebSocket(request) ->
                request.toWebSocket().onSuccess(socket -> {
                    if (socket.isClosed()) {
                        return;
                    }
                    WatchStream stream = new WatchStream(context, socket, watch.request());
                    socket.closeHandler(closed -> stream.stop());
                    stream.start(store);
                });
            case Answer.Log log -> {
                HttpServerResponse response = request.response().setChunked(true);
                response.putHeader(HttpHeaders.CONTENT_TYPE, "text/plain");
                response.writeHead();
                new LogStream(context, response).start(log.log(), log.query());
            }
            case Answer.Watch watch -> {
                HttpServerResponse response = request.response().setChunked(true);
                response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
                WatchStream stream = new WatchStream(context, response, watch.request());
                response.closeHandler(closed -> stream.stop());
                // A client waits for the head even when nothing happens for long.
                response.writeHead();
                stream.start(store);
            }
        }
    }

    private static void write(HttpServerResponse response, Answer.Document document) {
        response.setStatusCode(document.code()).putHeader(HttpHeaders.CONTENT_TYPE, document.contentType());
        document.warnings()
                .forEach(warning -> response.headers()
                        .add(
                                "Warning",
                                "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"") + "\""));
        response.end(Buffer.buffer(document.body()));
    }

    private static ApiRequest read(HttpServerRequest request, byte[] body) {
        List<String> path = Arrays.stream(request.path().split("/"))
                .filter(segment -> !segment.isEmpty())
                .map(segment -> URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8))
                .toList();
        Map<String, String> query = new HashMap<>();
        request.params().forEach(entry -> query.put(entry.getKey(), entry.getValue()));
        String type = header(request, "Content-Type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return new ApiRequest(
                request.method().name(),
                path,
                query,
                header(request, "Accept"),
                type,
                header(request, "User-Agent"),
                body);
    }

    private static boolean isWebSocket(HttpServerRequest request) {
        return header(request, "Upgrade").equalsIgnoreCase("websocket");
    }

    private static String header(HttpServerRequest request, String name) {
        return Optional.ofNullable(request.getHeader(name)).orElse("");
    }

    private static <T> T await(Future<T> future) throws IOException {
        try {
            return future.toCompletionStage().toCompletableFuture().join();
        } catch (java.util.concurrent.CompletionException e) {
            throw new IOException(e.getCause());
        }
    }
}
