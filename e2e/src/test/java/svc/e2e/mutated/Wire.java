package svc.e2e.mutated;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/** A connection that is used for one request after the other, and replaced when one of them ended it. */
final class Wire implements AutoCloseable {
    /** Longer than any deadline of the platform's, on a machine that is five times slower. */
    private static final int TIMEOUT_MS = 90_000;

    private final int port;
    private Socket socket;
    private InputStream in;

    Wire(int port) {
        this.port = port;
    }

    /**
     * Sends a request and reads its answer.
     *
     * @throws IOException when there is none, when it is not HTTP, or when more than it follows
     */
    Received exchange(Draft draft) throws IOException {
        boolean fresh = socket == null;
        if (fresh) {
            connect();
        }
        Received received;
        try {
            send(draft.bytes());
            received = Received.from(in, draft.method);
        } catch (EOFException | SocketException e) {
            close();
            if (fresh) {
                throw e;
            }
            // The server may close a connection that is kept at any time between two requests.
            return exchange(draft);
        }
        if (!draft.last && in.available() > 0) {
            throw new IOException("bytes follow the answer " + received);
        }
        if (draft.last || received.endsItsConnection()) {
            close();
        }
        return received;
    }

    private void connect() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** What the server no longer takes, because it has answered and closed, is dropped. */
    private void send(byte[] request) throws IOException {
        try {
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
        } catch (SocketException e) {
            // The server has answered and closed; without an answer reading tells.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
