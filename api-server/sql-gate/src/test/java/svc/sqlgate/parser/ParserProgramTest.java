package svc.sqlgate.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.platform.process.SandboxHome;

/** The program ends, with a code of its own, when its input is not made of requests; it never guesses. */
class ParserProgramTest {
    static List<byte[]> garbage() throws IOException {
        return List.of(
                "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8),
                frame(0xFFFFFFFF, 1, ""),
                frame(3, 1, ""),
                frame(6, 1, ""),
                frame(6, 99, "x"),
                new byte[] {0, 0});
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void endsWithCodeTwo(byte[] input) throws Exception {
        Process process = start();
        try (var requests = process.getOutputStream()) {
            requests.write(input);
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
    }

    @Test
    void endsByItselfWithItsInput() throws Exception {
        Process process = start();
        process.getOutputStream().close();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static byte[] frame(int length, int operation, String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var frame = new DataOutputStream(bytes);
        frame.writeInt(length);
        frame.writeInt(1);
        frame.writeByte(operation);
        frame.write(text.getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    private static Process start() throws IOException {
        SandboxHome home = SandboxHome.find(Optional.empty());
        var builder = new ProcessBuilder(
                home.runtime().toString(),
                "run",
                "--no-prompt",
                home.folder().resolve("parse/main.ts").toString());
        builder.environment().clear();
        builder.environment()
                .put("DENO_DIR", Files.createTempDirectory("svc-deno-").toString());
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
}
