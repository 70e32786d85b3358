package svc.embedded.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import redis.embedded.RedisServer;
import svc.embedded.process.FreePort;
import svc.embedded.process.Orphan;

/** A Redis server as a child of this process, on the loopback interface only. */
public final class EmbeddedRedis implements AutoCloseable {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    private final RedisServer server;
    private final int port;

    private EmbeddedRedis(RedisServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Starts a server without persistence. */
    public static EmbeddedRedis forTests() {
        return start(Optional.empty(), FreePort.find());
    }

    /**
     * Starts a server that keeps an append-only file in {@code folder}; first stops the one that a killed process left
     * running on it.
     */
    public static EmbeddedRedis lasting(Path folder, int port) {
        return start(Optional.of(folder.toAbsolutePath()), port);
    }

    private static EmbeddedRedis start(Optional<Path> folder, int port) {
        try {
            var builder = RedisServer.newRedisServer()
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    .onShutdownForceStop(true);
            if (folder.isPresent()) {
                Files.createDirectories(folder.get());
                Path pidFile = folder.get().resolve("redis.pid");
                // A killed parent leaves Redis running, which holds the port and the append-only file.
                Orphan.stop(pidFile, Orphan.worksIn(folder.get()), "TERM", STOP_TIMEOUT);
                builder.setting("pidfile " + pidFile);
                builder.setting("dir " + folder.get()).setting("appendonly yes").setting("appendfsync everysec");
            } else {
                builder.setting("appendonly no");
            }
            RedisServer server = builder.build();
            server.start();
            return new EmbeddedRedis(server, port);
        } catch (IOException e) {
            throw new UncheckedIOException("while starting Redis on port " + port, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting Redis", e);
        }
    }

    public int port() {
        return port;
    }

    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new UncheckedIOException("while stopping Redis on port " + port, e);
        }
    }
}
