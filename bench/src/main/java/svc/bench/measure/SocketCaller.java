package svc.bench.measure;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One connection to a function, one call after the other: as little of our own as a measurement can have. */
public final class SocketCaller implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("content-length: ([0-9]+)\r\n", Pattern.CASE_INSENSITIVE);

    private final SocketChannel channel;
    private final byte[] request;
    private final ByteBuffer buffer = ByteBuffer.allocate(16 << 10);

    private SocketCaller(SocketChannel channel, SocketAddress address, String request) throws IOException {
        this.channel = channel;
        this.request = request.getBytes(StandardCharsets.US_ASCII);
        channel.connect(address);
    }

    /** To the process itself, without a gateway before it. */
    public static SocketCaller ofProcess(Path socket) throws IOException {
        return new SocketCaller(
                SocketChannel.open(StandardProtocolFamily.UNIX),
                UnixDomainSocketAddress.of(socket),
                "GET /fn HTTP/1.1\r\nhost: f.localhost\r\n\r\n");
    }

    /** To a gateway.
     *
     * @param head the request without its last empty line */
    public static SocketCaller ofGateway(SocketAddress gateway, String head) throws IOException {
        return new SocketCaller(SocketChannel.open(), gateway, head + "\r\n");
    }

    /** Sends a request and reads its answer.
     *
     * @throws IOException when it is not 200 */
    public void call() throws IOException {
        channel.write(ByteBuffer.wrap(request));
        buffer.clear();
        String text = "";
        int body = -1;
        while (body < 0 || buffer.position() < body) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the function closed the connection after: " + text);
            }
            text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            Matcher length = LENGTH.matcher(text);
            if (end >= 0 && length.find()) {
                body = end + 4 + Integer.parseInt(length.group(1));
            }
        }
        if (!text.startsWith("HTTP/1.1 200")) {
            throw new IOException("the function answers " + text);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
