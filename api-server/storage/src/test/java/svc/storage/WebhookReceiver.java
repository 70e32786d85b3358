package svc.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A tenant's receiver of webhooks: records calls, and answers as the test sets. */
final class WebhookReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile int status = 200;
    private volatile boolean silent;
    private volatile Map<String, String> headers = Map.of();

    record Call(Headers headers, String body) {
        JsonNode json() {
            try {
                return StorageHttp.JSON.readTree(body);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("no JSON: " + body, e);
            }
        }
    }

    WebhookReceiver() {
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
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add(new Call(exchange.getRequestHeaders(), body));
        if (silent) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        headers.forEach(exchange.getResponseHeaders()::add);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    void answers(int with, Map<String, String> and) {
        headers = and;
        status = with;
    }

    void isSilent() {
        silent = true;
    }

    List<Call> calls() {
        return List.copyOf(calls);
    }

    /** {@code name bucket/key} of all records, as they came. */
    List<String> events() {
        List<String> events = new ArrayList<>();
        for (Call call : calls) {
            for (JsonNode item : call.json().path("Records")) {
                JsonNode s3 = item.path("s3");
                events.add(item.path("eventName").asText() + " "
                        + s3.at("/bucket/name").asText() + "/"
                        + s3.at("/object/key").asText());
            }
        }
        return events;
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
    }
}
