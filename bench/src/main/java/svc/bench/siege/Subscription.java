package svc.bench.siege;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A socket whose client waits for the inserts into one table. */
final class Subscription implements WebSocket.Listener, AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration HEARTBEAT = Duration.ofSeconds(20);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<Void>> expected = new ConcurrentHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private volatile boolean open = true;
    private WebSocket socket;
    private Thread heartbeat;

    private Subscription() {}

    /** Returns when the table's changes flow. @throws IOException when they do not */
    static Subscription open(Tenant tenant, JsonNode project, String table) throws IOException, InterruptedException {
        URI base = URI.create(tenant.platform().connection().pathUrl(Tenant.ref(project)));
        URI address = URI.create("ws://" + base.getAuthority() + base.getRawPath()
                + "/realtime/v1/websocket?vsn=2.0.0&apikey="
                + project.get("anon_key").asText());
        var subscription = new Subscription();
        try {
            subscription.socket = tenant.client()
                    .newWebSocketBuilder()
                    .connectTimeout(LIMIT)
                    .buildAsync(address, subscription)
                    .join();
        } catch (CompletionException e) {
            throw new IOException("no socket", e);
        }
        try {
            subscription.send("[\"1\",\"1\",\"realtime:" + table + "\",\"phx_join\",{\"config\":{\"postgres_changes\":"
                    + "[{\"event\":\"INSERT\",\"schema\":\"public\",\"table\":\"" + table + "\"}]}}]");
            await("subscription", subscription.subscribed);
        } catch (IOException | InterruptedException e) {
            subscription.close();
            throw e;
        }
        subscription.heartbeat = Thread.startVirtualThread(subscription::keepAlive);
        return subscription;
    }

    boolean isOpen() {
        return open;
    }

    /** From now on the insert of the row is expected. */
    void expect(long id) {
        expected.put(id, new CompletableFuture<>());
    }

    /** Returns when the row's insert has arrived. @throws IOException when it does not, or the channel loses changes */
    void await(long id) throws IOException, InterruptedException {
        try {
            await("change", expected.get(id));
        } finally {
            expected.remove(id);
        }
    }

    private static void await(String what, CompletableFuture<Void> done) throws IOException, InterruptedException {
        try {
            done.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no " + what + " within " + LIMIT, e);
        } catch (ExecutionException e) {
            throw new IOException("no " + what + ": " + e.getCause().getMessage(), e);
        }
    }

    private synchronized void send(String frame) throws IOException {
        try {
            socket.sendText(frame, true).join();
        } catch (CompletionException e) {
            throw new IOException("a frame was not sent", e);
        }
    }

    private void keepAlive() {
        try {
            while (open) {
                Thread.sleep(HEARTBEAT);
                send("[null,\"1\",\"phoenix\",\"heartbeat\",{}]");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            ended(e.getMessage());
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            received(text.toString());
            text.setLength(0);
        }
        webSocket.request(1);
        return null;
    }

    private void received(String message) {
        try {
            JsonNode frame = JSON.readTree(message);
            JsonNode payload = frame.path(4);
            String event = frame.path(3).asText();
            if (event.equals("postgres_changes")) {
                CompletableFuture<Void> waiting =
                        expected.get(payload.at("/data/record/id").asLong());
                if (waiting != null) {
                    waiting.complete(null);
                }
            } else if (payload.path("status").asText().equals("error")) {
                fail(message);
            } else if (event.equals("system")
                    && payload.path("message").asText().contains("Subscribed to PostgreSQL")) {
                subscribed.complete(null);
            }
        } catch (JsonProcessingException e) {
            fail("not JSON: " + message);
        }
    }

    @Override
    public CompletionStage<?> onClose(WebSocket webSocket, int status, String reason) {
        ended("the platform closed the socket: " + status + " " + reason);
        return null;
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        ended(error.toString());
    }

    private void ended(String why) {
        open = false;
        fail(why);
    }

    private void fail(String why) {
        var failure = new IOException(why);
        subscribed.completeExceptionally(failure);
        expected.values().forEach(waiting -> waiting.completeExceptionally(failure));
    }

    @Override
    public void close() {
        open = false;
        socket.abort();
        if (heartbeat != null) {
            heartbeat.interrupt();
        }
    }
}
