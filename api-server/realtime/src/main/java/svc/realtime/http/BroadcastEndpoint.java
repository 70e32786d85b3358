package svc.realtime.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.RequestBody;
import svc.platform.memory.ByteBudget;
import svc.realtime.bus.ProjectBus;
import svc.realtime.message.Broadcast;
import svc.realtime.message.MalformedMessage;
import svc.realtime.message.RawJson;
import svc.realtime.policy.ChannelPolicies;
import svc.realtime.policy.ChannelPolicies.Extension;

/** Broadcasts by POST: a batch, or a single one. They also reach rooms that have members in other processes only. */
public final class BroadcastEndpoint {
    private static final int MAX_MEMBERS = 32;
    private static final int MAX_BATCH = 10_000;

    private final ProjectBus bus;
    private final ChannelPolicies policies;
    private final RequestRates rates;
    private final Function<String, ByteBudget.Account> memory;
    private final BodyRules rules;

    /** @param memory of a project, by its ref */
    public BroadcastEndpoint(
            ProjectBus bus,
            ChannelPolicies policies,
            RequestRates rates,
            Function<String, ByteBudget.Account> memory,
            BodyRules rules) {
        this.bus = bus;
        this.policies = policies;
        this.rates = rates;
        this.memory = memory;
        this.rules = rules;
    }

    /** {@code {"messages":[{"topic","event","payload","private"}]}}. */
    void batch(DataPlaneExchange exchange) {
        collect(exchange, body -> {
            JsonArray errors = new JsonArray();
            List<Broadcast> messages = new ArrayList<>();
            boolean faulty = false;
            for (String text : elements(body)) {
                JsonObject error = new JsonObject();
                read(exchange, text, messages, error);
                errors.add(error);
                faulty |= !error.isEmpty();
            }
            if (faulty || messages.isEmpty()) {
                JsonObject all = messages.isEmpty() && !faulty
                        ? new JsonObject().put("messages", new JsonArray().add("can't be blank"))
                        : new JsonObject().put("messages", errors);
                RealtimeAnswers.unprocessable(exchange, all);
                return;
            }
            send(exchange, messages);
        });
    }

    /** The body is the payload. */
    void single(DataPlaneExchange exchange, String topic, String event) {
        String type = Objects.requireNonNullElse(
                        exchange.request().getHeader(HttpHeaders.CONTENT_TYPE), "application/json")
                .split(";", 2)[0]
                .strip()
                .toLowerCase(Locale.ROOT);
        boolean binary = type.equals("application/octet-stream");
        if (!binary && !type.equals("application/json")) {
            RealtimeAnswers.error(exchange, 415, "Send application/json or application/octet-stream");
            return;
        }
        if (topic.indexOf('\0') >= 0) {
            JsonObject error = new JsonObject().put("topic", new JsonArray().add("is invalid"));
            RealtimeAnswers.unprocessable(exchange, error);
            return;
        }
        boolean isPrivate = RealtimeRequestHandler.parameter(exchange.query(), "private")
                .filter("true"::equals)
                .isPresent();
        collect(exchange, body -> {
            if (!binary) {
                RawJson.require(body);
            }
            if (body.length() > most(exchange)) {
                RealtimeAnswers.error(exchange, 413, "Payload size exceeds the limit of " + most(exchange) + " bytes");
                return;
            }
            send(exchange, List.of(new Broadcast(topic, isPrivate, event, binary, "", body, 0)));
        });
    }

    private interface Reader {
        void read(Buffer body) throws MalformedMessage;
    }

    private void collect(DataPlaneExchange exchange, Reader reader) {
        RequestBody.collect(
                exchange.request(),
                rules,
                memory.apply(exchange.tenant().ref()).open(),
                body -> {
                    try (ByteBudget.Permit held = body.memory()) {
                        reader.read(body.bytes());
                    } catch (MalformedMessage e) {
                        RealtimeAnswers.error(exchange, 400, "The body is malformed: " + e.getMessage());
                    }
                },
                refusal -> {
                    switch (refusal) {
                        case TOO_LARGE, TOO_COSTLY -> RealtimeAnswers.error(exchange, 413, "The body is too large");
                        case BUSY -> RealtimeAnswers.error(exchange, 503, "The project's memory is in use");
                        case TOO_SLOW -> RealtimeAnswers.error(exchange, 408, "The body arrives too slowly");
                    }
                });
    }

    private static List<String> elements(Buffer body) throws MalformedMessage {
        Map<String, String> members = RawJson.members(RawJson.text(body), MAX_MEMBERS);
        String messages = members.getOrDefault("messages", "[]");
        return messages.startsWith("[") ? RawJson.array(messages, MAX_BATCH) : List.of();
    }

    private static void read(DataPlaneExchange exchange, String text, List<Broadcast> messages, JsonObject error)
            throws MalformedMessage {
        Map<String, String> members = RawJson.isObject(text) ? RawJson.members(text, MAX_MEMBERS) : Map.of();
        String topic = RawJson.string(members.get("topic")).orElse("");
        String event = RawJson.string(members.get("event")).orElse("");
        String payload = members.get("payload");
        require(error, "topic", !topic.isEmpty(), "can't be blank");
        require(error, "topic", topic.indexOf('\0') < 0, "is invalid");
        require(error, "event", !event.isEmpty(), "can't be blank");
        require(error, "payload", payload != null && !payload.equals("null"), "can't be blank");
        require(error, "payload", payload == null || payload.equals("null") || RawJson.isObject(payload), "is invalid");
        if (error.isEmpty()) {
            Buffer bytes = Buffer.buffer(payload);
            require(error, "payload", bytes.length() <= most(exchange), "Payload size exceeds tenant limit");
            boolean isPrivate = "true".equals(members.get("private"));
            messages.add(new Broadcast(topic, isPrivate, event, false, "", bytes, 0));
        }
    }

    private static void require(JsonObject error, String member, boolean holds, String message) {
        if (!holds && !error.containsKey(member)) {
            error.put(member, new JsonArray().add(message));
        }
    }

    private static int most(DataPlaneExchange exchange) {
        return exchange.tenant().realtime().maxPayloadKB() << 10;
    }

    private void send(DataPlaneExchange exchange, List<Broadcast> messages) {
        switch (rates.take(exchange.tenant(), messages)) {
            case EXCEEDED ->
                RealtimeAnswers.json(
                        exchange, 429, new JsonObject().put("message", "You have exceeded your rate limit"));
            case TOO_MANY ->
                RealtimeAnswers.json(
                        exchange,
                        429,
                        new JsonObject()
                                .put("message", "Too many messages to broadcast, please reduce the batch size"));
            case GRANTED -> publish(exchange, messages);
        }
    }

    /** A message that policies forbid is left out without a word, as Supabase has it. */
    private void publish(DataPlaneExchange exchange, List<Broadcast> messages) {
        Map<String, Future<Boolean>> writable = new HashMap<>();
        List<Future<Void>> sent = new ArrayList<>();
        for (Broadcast message : messages) {
            Future<Boolean> may = message.isPrivate()
                    ? writable.computeIfAbsent(
                            message.topic(),
                            topic ->
                                    policies.writable(exchange.tenant(), exchange.caller(), topic, Extension.BROADCAST))
                    : Future.succeededFuture(true);
            sent.add(may.compose(yes -> yes
                    ? bus.publish(exchange.tenant().projectId(), ProjectBus.Kind.BROADCAST, message.toBusByRequest())
                    : Future.succeededFuture()));
        }
        Context loop = Vertx.currentContext();
        onLoop(
                loop,
                Future.join(sent),
                done -> RealtimeAnswers.accepted(exchange),
                failure ->
                        RealtimeAnswers.error(exchange, 503, "The messages reached a part of the receivers at most"));
    }

    private static <T> void onLoop(Context loop, Future<T> future, Consumer<T> done, Consumer<Throwable> failed) {
        future.onComplete(end -> loop.runOnContext(now -> {
            if (end.succeeded()) {
                done.accept(end.result());
            } else {
                failed.accept(end.cause());
            }
        }));
    }
}
