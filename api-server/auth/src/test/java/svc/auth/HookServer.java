package svc.auth;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A tenant's hook server: records requests, and answers as the test sets. */
final class HookServer implements AutoCloseable {
    private final HttpServer server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile Function<Call, Reply> answer = call -> Reply.json("{}");

    record Call(String path, Headers headers, String body) {}

    record Reply(int status, String type, String body) {
        static Reply json(String body) {
            return new Reply(200, "application/json", body);
        }
    }

    HookServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        var call = new Call(
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders(),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        calls.add(call);
        Reply reply = answer.apply(call);
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        if (reply.type() != null) {
            exchange.getResponseHeaders().add("Content-Type", reply.type());
        }
        try {
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            // The client has closed the connection.
        }
        exchange.close();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    void answers(Function<Call, Reply> next) {
        calls.clear();
        answer = next;
    }

    List<Call> calls() {
        return calls;
    }

    Call last() {
        return calls.getLast();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
