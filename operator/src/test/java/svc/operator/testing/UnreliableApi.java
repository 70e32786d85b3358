package svc.operator.testing;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The Kubernetes API as one operator finds it: some requests are answered with an error, or late, by a server that stands in
 * for the API. The API itself serves all others as always.
 */
public final class UnreliableApi implements Interceptor, AutoCloseable {
    private static final int NO_STATUS = 0;

    private final HttpServer failing;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile int status = NO_STATUS;
    private volatile long delayMillis;
    private volatile Predicate<HttpRequest> chosen = request -> false;

    public UnreliableApi() {
        try {
            this.failing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        failing.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        failing.createContext("/", exchange -> {
            byte[] body = """
                    {"apiVersion":"v1","kind":"Status","status":"Failure","reason":"%s","code":%d,
                     "message":"a text of the server with a value"}""".formatted(reason(status), status).getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
            try (exchange) {
                exchange.getResponseBody().write(body);
            }
        });
        failing.start();
    }

    private static String reason(int status) {
        return switch (status) {
            case 403 -> "Forbidden";
            case 410 -> "Expired";
            case 422 -> "Invalid";
            case 429 -> "TooManyRequests";
            default -> "InternalError";
        };
    }

    /** From now on these requests are answered with that status. */
    public void answer(int code, Predicate<HttpRequest> which) {
        status = code;
        chosen = which;
    }

    public void answerNothing() {
        chosen = request -> false;
    }

    /** From now on each request waits that long before it is sent. */
    public void delay(long millis) {
        delayMillis = millis;
    }

    /** How many requests were begun; a watch is not counted. */
    public int requests() {
        return requests.get();
    }

    /** How many of them were answered with an error. */
    public int failed() {
        return failed.get();
    }

    public static boolean isWatch(HttpRequest request) {
        String query = request.uri().getQuery();
        return query != null && query.contains("watch=true");
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (request.uri().getPath().contains("/leases")) {
            return;
        }
        if (!isWatch(request)) {
            requests.incrementAndGet();
        }
        if (delayMillis > 0) {
            pause(delayMillis);
        }
        if (chosen.test(request)) {
            failed.incrementAndGet();
            builder.uri(URI.create("http://127.0.0.1:" + failing.getAddress().getPort()
                    + request.uri().getRawPath()));
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        failing.stop(0);
    }
}
