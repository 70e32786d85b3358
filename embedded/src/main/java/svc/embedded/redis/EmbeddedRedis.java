package svc.embedded.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import redis.embedded.RedisServer;
import svc.embedded.process.FreePort;

/** A Redis server as a child of this process, on the loopback interface only. */
public final class EmbeddedRedis implements AutoCloseable {
    private final RedisServer server;
    private final int port;

    private EmbeddedRedis(RedisServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Starts a server that forgets everything when it stops. */
    public static EmbeddedRedis forTests() {
        return start(Optional.empty(), FreePort.find());
    }

    /** Starts a server that keeps an append-only file in {@code folder}. */
    public static EmbeddedRedis lasting(Path folder, int port) {
        return start(Optional.of(folder.toAbsolutePath()), port);
    }

    private static EmbeddedRedis start(Optional<Path> folder, int port) {
        try {
            var builder = RedisServer.newRedisServer()
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    // Also when the JVM is stopped by a signal; kill -9 leaves a Redis that the next start finds.
                    .onShutdownForceStop(true);
            if (folder.isPresent()) {
                Files.createDirectories(folder.get());
                builder.setting("dir " + folder.get()).setting("appendonly yes").setting("appendfsync everysec");
            } else {
                builder.setting("appendonly no");
            }
            RedisServer server = builder.build();
            server.start();
            return new EmbeddedRedis(server, port);
        } catch (IOException e) {
            throw new UncheckedIOException("while starting Redis on port " + port, e);
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
