package svc.embedded.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.process.FreePort;

class RedisKeepsItsDataTest {
    @TempDir
    Path folder;

    @Test
    void aLastingServerFindsItsKeysAgain() throws Exception {
        int port = FreePort.find();
        try (var redis = EmbeddedRedis.lasting(folder, port)) {
            assertThat(ask(redis, "SET kept 1")).isEqualTo("+OK");
        }
        try (var redis = EmbeddedRedis.lasting(folder, port)) {
            assertThat(ask(redis, "EXISTS kept")).isEqualTo(":1");
        }
    }

    @Test
    void aSecondStartTakesOverFromAServerThatLostItsParent() throws Exception {
        int port = FreePort.find();
        var orphan = EmbeddedRedis.lasting(folder, port);
        assertThat(ask(orphan, "SET kept 1")).isEqualTo("+OK");
        try (var redis = EmbeddedRedis.lasting(folder, port)) {
            assertThat(ask(redis, "EXISTS kept")).isEqualTo(":1");
        }
    }

    @Test
    void aTestServerStartsEmpty() throws Exception {
        try (var redis = EmbeddedRedis.forTests()) {
            assertThat(ask(redis, "DBSIZE")).isEqualTo(":0");
            assertThat(redis.url()).endsWith(":" + redis.port());
        }
    }

    /** Redis' inline commands: a line asks, a line answers. */
    private static String ask(EmbeddedRedis redis, String command) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readNBytes(3), StandardCharsets.UTF_8).strip();
        }
    }
}
