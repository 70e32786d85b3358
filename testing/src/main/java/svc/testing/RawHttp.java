package svc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.config.ConfigProvider;

/** Sends raw bytes that no HTTP client would send. */
public final class RawHttp {
    private static final int TIMEOUT_MS = 30_000;

    private RawHttp() {}

    /** The response until the server closes the connection; the request should ask for that. */
    public static String send(String request) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("while sending raw bytes", e);
        }
    }
}
