package svc.rest.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One kept-alive connection that sends what no HTTP client would: any method, any bytes in the target, headers as they
 * are. An answer that does not come in time is a failure, not something to wait for.
 */
final class RawConnection implements AutoCloseable {
    private final int port;
    private final int timeoutMillis;
    private Socket socket;
    private BufferedInputStream in;

    /** @param patienceMillis longest a request may go unanswered */
    RawConnection(int port, int timeoutMillis) {
        this.port = port;
        this.timeoutMillis = timeoutMillis;
    }

    /** What came back. */
    record Reply(int status, Map<String, String> headers, String body) {}

    /** @throws java.net.SocketTimeoutException when there was no answer in time */
    Reply send(FuzzRequest request) throws IOException {
        if (socket == null || socket.isClosed()) {
            connect();
        }
        byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
        var head = new StringBuilder();
        head.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\nHost: fuzz\r\n");
        request.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        var out = new ByteArrayOutputStream();
        out.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        out.writeBytes(body);
        socket.getOutputStream().write(out.toByteArray());
        Reply reply = receive(request.method());
        if ("close".equalsIgnoreCase(reply.headers().get("connection"))) {
            close();
        }
        return reply;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }

    private void connect() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(timeoutMillis);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    private Reply receive(String method) throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        boolean bare = method.equals("HEAD") || status == 204 || status == 304;
        int length = bare ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Reply(status, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
