package svc.realtime.bus;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;

/**
 * The bus over Redis' publish and subscribe. One connection subscribes to the channels that something of this process
 * listens to, another one publishes. A message begins with the id of the process that sent it, which has delivered it to its
 * own listeners already.
 */
public final class RedisProjectBus implements ProjectBus, AutoCloseable {
    /** Of messages that Redis has not confirmed, in bytes: more are refused. A project has half of it at most. */
    private static final long MAX_UNCONFIRMED = 16L << 20;

    private static final Limit UNCONFIRMED_OF_PROJECT = new Limit.Fixed(MAX_UNCONFIRMED / 2);

    private static final Duration LISTEN_TIMEOUT = Duration.ofSeconds(5);
    /** A channel that has no messages; Redis confirms each subscription to it. */
    private static final String PROBE = "svc:realtime-probe";

    private static final int ID_BYTES = 16;
    private static final int CHANNELS_PER_COMMAND = 500;

    private final Vertx vertx;
    private final Buffer own;
    private final ReconnectingConnection publisher;
    private final ReconnectingConnection subscriber;
    private final Budget unconfirmed = new Budget("realtime-unconfirmed", MAX_UNCONFIRMED);
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();

    /** Confirmations that the current connection owes, by channel. Guarded by this object. */
    private final Map<String, Integer> owed = new HashMap<>();

    /** A channel that something of this process listens to. Its fields but the list are guarded by the bus. */
    private static final class Channel {
        private final List<Registration> registrations = new CopyOnWriteArrayList<>();
        private boolean confirmed;
    }

    /** What a listener may have missed of other processes' messages since its channel was confirmed last. */
    private enum Missed {
        NOTHING,
        /** The connection was lost, and the listener has not heard so. */
        UNREPORTED,
        /** The listener has heard so; it hears it once more when messages of others arrive again. */
        REPORTED
    }

    /** One listener. */
    private final class Registration implements Listener {
        private final String channel;
        private final Consumer<Buffer> receiver;
        private final Runnable interrupted;
        private final Promise<Listener> began = Promise.promise();
        private final AtomicReference<Missed> missed = new AtomicReference<>(Missed.NOTHING);

        Registration(String channel, Consumer<Buffer> receiver, Runnable interrupted) {
            this.channel = channel;
            this.receiver = receiver;
            this.interrupted = interrupted;
        }

        /**
         * Before a message of this process arrives while the connection is lost: it may follow messages of others that are
         * missing. An earlier reader may have ended after Redis had taken them from it.
         */
        void reportMissed() {
            if (missed.compareAndSet(Missed.UNREPORTED, Missed.REPORTED)) {
                interrupted.run();
            }
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    public RedisProjectBus(Vertx vertx, Redis redis) {
        this(vertx, redis, ReconnectingConnection.Pings.usual());
    }

    RedisProjectBus(Vertx vertx, Redis redis, ReconnectingConnection.Pings pings) {
        this.vertx = vertx;
        UUID id = UUID.randomUUID();
        this.own = Buffer.buffer(ID_BYTES)
                .appendLong(id.getMostSignificantBits())
                .appendLong(id.getLeastSignificantBits());
        this.publisher = new ReconnectingConnection(vertx, redis, ReconnectingConnection.none(), pings);
        ReconnectingConnection.Events events = new ReconnectingConnection.Events() {
            @Override
            public void opened(RedisConnection connection) {
                subscribeAll(connection);
            }

            @Override
            public void received(Response message) {
                RedisProjectBus.this.received(message);
            }

            @Override
            public void lost() {
                subscriptionsLost();
            }

            @Override
            public Optional<Request> probe() {
                return Optional.of(Request.cmd(Command.SUBSCRIBE).arg(PROBE));
            }
        };
        this.subscriber = new ReconnectingConnection(vertx, redis, events, pings);
    }

    @Override
    public Future<Void> publish(UUID projectId, Kind kind, Buffer message) {
        String name = name(projectId, kind);
        deliverOwn(name, message);
        long bytes = message.length() + ID_BYTES;
        Permit held = unconfirmed
                .whole()
                .part(projectId.toString(), UNCONFIRMED_OF_PROJECT)
                .open();
        if (held.grow(bytes) != Verdict.GRANTED) {
            return Future.failedFuture("Redis takes messages too slowly");
        }
        Buffer framed = Buffer.buffer((int) bytes).appendBuffer(own).appendBuffer(message);
        return publisher
                .send(Request.cmd(Command.PUBLISH).arg(name).arg(framed))
                .onComplete(sent -> held.close())
                .mapEmpty();
    }

    @Override
    public Future<Listener> listen(UUID projectId, Kind kind, Consumer<Buffer> receiver, Runnable interrupted) {
        var registration = new Registration(name(projectId, kind), receiver, interrupted);
        boolean confirmed = add(registration);
        if (confirmed) {
            return Future.succeededFuture(registration);
        }
        subscriber.use();
        long timer = vertx.setTimer(LISTEN_TIMEOUT.toMillis(), late -> {
            if (registration.began.tryFail("Redis does not confirm a subscription")) {
                registration.close();
            }
        });
        return registration.began.future().onComplete(end -> vertx.cancelTimer(timer));
    }

    @Override
    public void close() {
        subscriber.close();
        publisher.close();
    }

    /** Whether the channel is subscribed to already. */
    private synchronized boolean add(Registration registration) {
        Channel channel = channels.get(registration.channel);
        if (channel == null) {
            channel = new Channel();
            channels.put(registration.channel, channel);
            subscriber.ifOpen(open -> subscribe(open, List.of(registration.channel)));
        }
        channel.registrations.add(registration);
        return channel.confirmed;
    }

    private synchronized void remove(Registration registration) {
        Channel channel = channels.get(registration.channel);
        if (channel != null && channel.registrations.remove(registration) && channel.registrations.isEmpty()) {
            channels.remove(registration.channel);
            subscriber.ifOpen(open -> open.send(Request.cmd(Command.UNSUBSCRIBE).arg(registration.channel)));
        }
    }

    private synchronized void subscribeAll(RedisConnection connection) {
        owed.clear();
        List<String> names = new ArrayList<>(channels.keySet());
        for (int from = 0; from < names.size(); from += CHANNELS_PER_COMMAND) {
            subscribe(connection, names.subList(from, Math.min(names.size(), from + CHANNELS_PER_COMMAND)));
        }
    }

    private void subscribe(RedisConnection connection, List<String> names) {
        Request request = Request.cmd(Command.SUBSCRIBE);
        for (String name : names) {
            request.arg(name);
            owed.merge(name, 1, Integer::sum);
        }
        connection.send(request);
    }

    private synchronized void subscriptionsLost() {
        owed.clear();
        channels.values().forEach(channel -> {
            if (channel.confirmed) {
                channel.confirmed = false;
                channel.registrations.forEach(registration -> registration.missed.set(Missed.UNREPORTED));
            }
        });
    }

    private void received(Response message) {
        if (message == null || message.size() < 3) {
            return;
        }
        switch (message.get(0).toString()) {
            case "message" -> {
                Buffer framed = message.get(2).toBuffer();
                if (framed.length() >= ID_BYTES && !framed.slice(0, ID_BYTES).equals(own)) {
                    deliver(message.get(1).toString(), framed.slice(ID_BYTES, framed.length()));
                }
            }
            case "subscribe" -> confirmed(message.get(1).toString());
            default -> {}
        }
    }

    private void confirmed(String name) {
        List<Registration> interrupted = new ArrayList<>();
        List<Registration> began = new ArrayList<>();
        synchronized (this) {
            // A channel that was left and joined again in between is confirmed twice.
            if (owed.merge(name, -1, Integer::sum) > 0) {
                return;
            }
            owed.remove(name);
            Channel channel = channels.get(name);
            if (channel == null) {
                return;
            }
            channel.confirmed = true;
            for (Registration registration : channel.registrations) {
                boolean resumed = registration.missed.getAndSet(Missed.NOTHING) != Missed.NOTHING;
                (resumed ? interrupted : began).add(registration);
            }
        }
        began.forEach(registration -> registration.began.tryComplete(registration));
        interrupted.forEach(registration -> registration.interrupted.run());
    }

    private void deliverOwn(String name, Buffer message) {
        Channel channel = channels.get(name);
        if (channel != null) {
            channel.registrations.forEach(Registration::reportMissed);
        }
        deliver(name, message);
    }

    private void deliver(String name, Buffer message) {
        Channel channel = channels.get(name);
        if (channel != null) {
            for (Registration registration : channel.registrations) {
                registration.receiver.accept(message);
            }
        }
    }

    private static String name(UUID projectId, Kind kind) {
        return "svc:" + projectId + ":realtime-" + kind.name().toLowerCase(Locale.ROOT);
    }
}
