package svc.bench.siege;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections to the platform that an attacker opens and holds; closed together. */
final class HeldConnections implements AutoCloseable {
    private static final int TIMEOUT_MS = 5_000;

    private final InetSocketAddress platform;
    private final List<Socket> sockets = new ArrayList<>();

    HeldConnections(URI platform) {
        this.platform = new InetSocketAddress(platform.getHost(), platform.getPort());
    }

    /** Opens one and sends this much; a connection that the platform refuses or closes is what an attacker has to expect. */
    void open(String head, int bodyBytes) {
        try {
            var socket = new Socket();
            sockets.add(socket);
            // A small window: the answer waits in the platform, not here.
            socket.setReceiveBufferSize(4 << 10);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(platform, TIMEOUT_MS);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            byte[] part = new byte[64 << 10];
            for (int sent = 0; sent < bodyBytes; sent += part.length) {
                socket.getOutputStream().write(part, 0, Math.min(part.length, bodyBytes - sent));
            }
        } catch (IOException e) {
            // Refused: the platform's defence.
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
