package svc.realtime.bus;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * One connection to Redis for a purpose of its own: opened at the first use, and opened again whenever it ends. While it is
 * away, what would be sent fails at once. Thread-safe.
 */
final class ReconnectingConnection {
    private static final Logger LOG = Logger.getLogger(ReconnectingConnection.class);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Vertx vertx;
    private final Redis redis;
    private final Events events;
    private final Pings pings;
    private volatile long heard;
    private Future<RedisConnection> connection;
    private RedisConnection open;
    private boolean away;
    private boolean closed;

    /** What becomes of the connection. Called on the connection's event loop. */
    interface Events {
        void opened(RedisConnection connection);

        void received(Response message);

        void lost();

        /**
         * A request whose answer arrives as a message, in place of a ping: where messages arrive, the client takes the first
         * of them for the answer to a ping, and drops the answer.
         */
        default Optional<Request> probe() {
            return Optional.empty();
        }
    }

    /** A peer that vanished without a word is noticed by these. @param timeout until an answer */
    record Pings(Duration interval, Duration timeout) {
        static Pings usual() {
            return new Pings(Duration.ofSeconds(5), Duration.ofSeconds(5));
        }
    }

    ReconnectingConnection(Vertx vertx, Redis redis, Events events) {
        this(vertx, redis, events, Pings.usual());
    }

    ReconnectingConnection(Vertx vertx, Redis redis, Events events, Pings pings) {
        this.vertx = vertx;
        this.redis = redis;
        this.events = events;
        this.pings = pings;
    }

    /** An {@link Events} that ignores everything. */
    static Events none() {
        return new Events() {
            @Override
            public void opened(RedisConnection connection) {}

            @Override
            public void received(Response message) {}

            @Override
            public void lost() {}
        };
    }

    /** Fails when Redis is away. */
    Future<Response> send(Request request) {
        return use().compose(open -> open.send(request));
    }

    /** Does something with the connection if there is one. */
    synchronized void ifOpen(Consumer<RedisConnection> action) {
        if (open != null) {
            action.accept(open);
        }
    }

    /** Opens the connection unless that has happened. */
    synchronized Future<RedisConnection> use() {
        if (connection == null) {
            Promise<RedisConnection> first = Promise.promise();
            connection = first.future();
            connect(first);
        }
        return connection;
    }

    synchronized void close() {
        closed = true;
        connection = Future.failedFuture("closed");
        if (open != null) {
            open.close();
            open = null;
        }
    }

    private void connect(Promise<RedisConnection> first) {
        redis.connect().onComplete(attempt -> {
            if (attempt.failed()) {
                failed(attempt.cause());
                first.tryFail(attempt.cause());
                return;
            }
            RedisConnection fresh = attempt.result();
            fresh.handler(message -> {
                heard = System.nanoTime();
                events.received(message);
            });
            fresh.exceptionHandler(broken -> lost(fresh, broken));
            fresh.endHandler(end -> lost(fresh, null));
            if (established(fresh)) {
                events.opened(fresh);
                first.tryComplete(fresh);
                ping(fresh);
            } else {
                fresh.close();
                first.tryFail("closed");
            }
        });
    }

    private synchronized boolean established(RedisConnection fresh) {
        if (closed) {
            return false;
        }
        if (away) {
            LOG.info("Redis is reachable again");
        }
        away = false;
        open = fresh;
        connection = Future.succeededFuture(fresh);
        return true;
    }

    private synchronized void failed(Throwable cause) {
        if (!away && !closed) {
            LOG.warnf("Redis is unreachable, messages between instances are lost meanwhile: %s", cause);
        }
        away = true;
        connection = Future.failedFuture(cause);
        if (!closed) {
            vertx.setTimer(RETRY.toMillis(), again -> connect(Promise.promise()));
        }
    }

    private void lost(RedisConnection which, Throwable cause) {
        synchronized (this) {
            if (!which.equals(open)) {
                return;
            }
            open = null;
            failed(cause == null ? new IllegalStateException("the connection has ended") : cause);
        }
        events.lost();
        which.close();
    }

    private void ping(RedisConnection which) {
        vertx.setTimer(pings.interval().toMillis(), now -> {
            synchronized (this) {
                if (!which.equals(open)) {
                    return;
                }
            }
            events.probe().ifPresentOrElse(request -> probe(which, request), () -> ask(which));
        });
    }

    private void ask(RedisConnection which) {
        long patience = vertx.setTimer(pings.timeout().toMillis(), late -> lost(which, silent()));
        which.send(Request.cmd(Command.PING)).onComplete(pong -> {
            vertx.cancelTimer(patience);
            if (pong.succeeded()) {
                ping(which);
            } else {
                lost(which, pong.cause());
            }
        });
    }

    private void probe(RedisConnection which, Request request) {
        long sent = System.nanoTime();
        which.send(request).onFailure(failure -> lost(which, failure));
        vertx.setTimer(pings.timeout().toMillis(), late -> {
            if (heard - sent < 0) {
                lost(which, silent());
            } else {
                ping(which);
            }
        });
    }

    private static IllegalStateException silent() {
        return new IllegalStateException("Redis does not answer a ping");
    }
}
