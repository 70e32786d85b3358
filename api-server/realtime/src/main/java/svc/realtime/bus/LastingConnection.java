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
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * One connection to Redis for a purpose of its own: opened at the first use, and opened again whenever it ends. While it is
 * away, what would be sent fails at once. Thread-safe.
 */
final class LastingConnection {
    private static final Logger LOG = Logger.getLogger(LastingConnection.class);
    private static final Duration RETRY = Duration.ofMillis(500);

    /** A peer that vanished without a word is noticed by these. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(5);

    private static final Duration PING_TIMEOUT = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Redis redis;
    private final Events events;
    private Future<RedisConnection> connection;
    private RedisConnection open;
    private boolean away;
    private boolean closed;

    /** What becomes of the connection. Called on the connection's event loop. */
    interface Events {
        void opened(RedisConnection connection);

        void received(Response message);

        void lost();
    }

    LastingConnection(Vertx vertx, Redis redis, Events events) {
        this.vertx = vertx;
        this.redis = redis;
        this.events = events;
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
            fresh.handler(events::received);
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
        vertx.setTimer(PING_INTERVAL.toMillis(), now -> {
            synchronized (this) {
                if (!which.equals(open)) {
                    return;
                }
            }
            long patience = vertx.setTimer(
                    PING_TIMEOUT.toMillis(),
                    late -> lost(which, new IllegalStateException("Redis does not answer a ping")));
            which.send(Request.cmd(Command.PING)).onComplete(pong -> {
                vertx.cancelTimer(patience);
                if (pong.succeeded()) {
                    ping(which);
                } else {
                    lost(which, pong.cause());
                }
            });
        });
    }
}
