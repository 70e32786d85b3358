package svc.realtime;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A WebSocket that speaks the protocol frame by frame. */
final class RawClient {
    private static final int MAX_FRAME = 8 << 20;
    private static final long TIMEOUT_SECONDS = 60;

    private final WebSocket socket;
    private final BlockingQueue<Object> frames = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();

    private RawClient(WebSocket socket) {
        this.socket = socket;
        socket.textMessageHandler(
                text -> frames.add(text.startsWith("[") ? new JsonArray(text) : new JsonObject(text)));
        socket.binaryMessageHandler(frames::add);
        socket.closeHandler(
                gone -> closed.complete(socket.closeStatusCode() == null ? 1006 : (int) socket.closeStatusCode()));
        socket.exceptionHandler(broken -> {});
    }

    static RawClient open(Vertx vertx, int port, String path) {
        CompletableFuture<RawClient> opened = new CompletableFuture<>();
        vertx.createHttpClient(new HttpClientOptions()
                        .setMaxWebSocketFrameSize(MAX_FRAME)
                        .setMaxWebSocketMessageSize(MAX_FRAME))
                .webSocket(new WebSocketConnectOptions()
                        .setHost("127.0.0.1")
                        .setPort(port)
                        .setURI(path))
                .onComplete(attempt -> {
                    if (attempt.succeeded()) {
                        opened.complete(new RawClient(attempt.result()));
                    } else {
                        opened.completeExceptionally(attempt.cause());
                    }
                });
        try {
            return opened.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UpgradeRejectedException refused) {
                throw new HandshakeRefused(
                        refused.getStatus(), refused.getBody().toString());
            }
            throw e;
        }
    }

    static final class HandshakeRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final int status;

        HandshakeRefused(int status, String body) {
            super(status + " " + body);
            this.status = status;
        }
    }

    WebSocket socket() {
        return socket;
    }

    /** Vsn 2.0.0. */
    void send(String joinRef, String ref, String topic, String event, Object payload) {
        socket.writeTextMessage(new JsonArray()
                .add(joinRef)
                .add(ref)
                .add(topic)
                .add(event)
                .add(payload)
                .encode());
    }

    /** Joins with the reference 1 and waits for the answer. */
    JsonObject join(String topic, JsonObject config) {
        return join(topic, new JsonObject().put("config", config), "1");
    }

    JsonObject join(String topic, JsonObject payload, String ref) {
        send(ref, ref, "realtime:" + topic, "phx_join", payload);
        return reply(ref);
    }

    /** The payload of the reply to a message; messages before it are dropped. */
    JsonObject reply(String ref) {
        return next(frame -> "phx_reply".equals(frame.getString(3)) && ref.equals(frame.getString(1)))
                .getJsonObject(4);
    }

    /** The next text message of an event (vsn 2.0.0); messages before it are dropped. */
    JsonObject event(String event) {
        return next(frame -> event.equals(frame.getString(3))).getJsonObject(4);
    }

    JsonArray next(Predicate<JsonArray> wanted) {
        while (true) {
            Object frame = next();
            if (frame instanceof JsonArray array && wanted.test(array)) {
                return array;
            }
        }
    }

    /** The next broadcast of kind 4: event and payload. */
    Received broadcast() {
        while (true) {
            if (next() instanceof Buffer frame) {
                return Received.of(frame);
            }
        }
    }

    record Received(String topic, String event, String meta, boolean json, Buffer payload) {
        static Received of(Buffer frame) {
            int at = 5;
            String[] texts = new String[3];
            for (int index = 0; index < 3; index++) {
                int length = frame.getUnsignedByte(1 + index);
                texts[index] = frame.getString(at, at + length);
                at += length;
            }
            if (frame.getByte(0) != 4) {
                throw new AssertionError("a frame of kind " + frame.getByte(0));
            }
            return new Received(
                    texts[0], texts[1], texts[2], frame.getByte(4) == 1, frame.getBuffer(at, frame.length()));
        }
    }

    /** The next frame: a JsonArray, a JsonObject, or a Buffer. */
    Object next() {
        try {
            Object frame = frames.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (frame == null) {
                throw new AssertionError("no frame came in time, closed: " + closed.getNow(0));
            }
            return frame;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A broadcast in a frame of kind 3. */
    void broadcast(String ref, String topic, String event, boolean json, Buffer payload) {
        byte[] name = ("realtime:" + topic).getBytes(StandardCharsets.UTF_8);
        byte[] what = event.getBytes(StandardCharsets.UTF_8);
        socket.writeBinaryMessage(Buffer.buffer()
                .appendByte((byte) 3)
                .appendByte((byte) 1)
                .appendByte((byte) ref.length())
                .appendByte((byte) name.length)
                .appendByte((byte) what.length)
                .appendByte((byte) 0)
                .appendByte((byte) (json ? 1 : 0))
                .appendString("1")
                .appendString(ref)
                .appendBytes(name)
                .appendBytes(what)
                .appendBuffer(payload));
    }

    /** Everything that was sent to this client before has arrived when this returns. */
    void settle() {
        send(null, "settle", "phoenix", "heartbeat", new JsonObject());
        next(frame -> "settle".equals(frame.getString(1)));
    }

    /** Whether nothing but the answer comes. */
    boolean isSilent() {
        send(null, "silent", "phoenix", "heartbeat", new JsonObject());
        return next() instanceof JsonArray frame && "silent".equals(frame.getString(1));
    }

    /** The code with which the server closes. */
    int closeCode() {
        return closed.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    }

    /** The code with which the server closes, when it does. */
    CompletableFuture<Integer> closed() {
        return closed;
    }

    void close() {
        socket.close();
    }
}
