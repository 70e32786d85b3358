package svc.embedded.pods;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** HTTP over a unix socket, one request a connection. */
public final class SocketClient {
    private SocketClient() {}

    /** An answer; {@code whole} is false when the connection broke before the end of the body. */
    public record Reply(int status, Map<String, String> headers, String body, boolean whole) {}

    /** Sends a request and reads the answer to its end.
     *
     * @param headers one a line, without the host */
    public static Reply send(Path socket, String method, String target, String headers, String body)
            throws IOException {
        try (SocketChannel channel = open(socket)) {
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            String length = content.length == 0 ? "" : "content-length: " + content.length + "\r\n";
            write(
                    channel,
                    "%s %s HTTP/1.1\r\nhost: f.localhost\r\nconnection: close\r\n%s%s\r\n"
                            .formatted(method, target, headers.isEmpty() ? "" : headers + "\r\n", length));
            channel.write(ByteBuffer.wrap(content));
            return read(Channels.newInputStream(channel).readAllBytes());
        }
    }

    public static Reply get(Path socket, String target) throws IOException {
        return send(socket, "GET", target, "", "");
    }

    public static SocketChannel open(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return channel;
    }

    public static void write(SocketChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static Reply read(byte[] all) {
        String text = new String(all, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return new Reply(0, Map.of(), text, false);
        }
        String[] head = text.substring(0, end).split("\r\n");
        Map<String, String> headers = new TreeMap<>();
        Arrays.stream(head).skip(1).forEach(line -> {
            String[] parts = line.split(": ?", 2);
            headers.merge(parts[0].toLowerCase(Locale.ROOT), parts[1], (a, b) -> a + ", " + b);
        });
        int status = Integer.parseInt(head[0].split(" ")[1]);
        byte[] rest = Arrays.copyOfRange(all, end + 4, all.length);
        if (!"chunked".equals(headers.get("transfer-encoding"))) {
            long length = Long.parseLong(headers.getOrDefault("content-length", Integer.toString(rest.length)));
            return new Reply(status, headers, new String(rest, StandardCharsets.UTF_8), rest.length == length);
        }
        return chunked(status, headers, rest);
    }

    private static Reply chunked(int status, Map<String, String> headers, byte[] rest) {
        var body = new ByteArrayOutputStream();
        int at = 0;
        boolean whole = false;
        while (at < rest.length) {
            int line = at;
            while (line < rest.length && rest[line] != '\r') {
                line++;
            }
            int size = Integer.parseInt(new String(rest, at, line - at, StandardCharsets.US_ASCII), 16);
            if (size == 0) {
                whole = true;
                break;
            }
            body.write(rest, line + 2, Math.min(size, Math.max(0, rest.length - line - 2)));
            at = line + 2 + size + 2;
        }
        return new Reply(status, headers, body.toString(StandardCharsets.UTF_8), whole);
    }
}
