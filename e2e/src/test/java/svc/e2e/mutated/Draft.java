package svc.e2e.mutated;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request while mistakes are made in it; then its bytes. Characters of heads are bytes. */
final class Draft {
    private static final int SHOWN = 1_500;

    final Route route;
    String method;
    String target;
    String version = "HTTP/1.1";
    String lineEnd = "\r\n";
    final List<Header> headers = new ArrayList<>();
    byte[] body = {};
    Framing framing = Framing.LENGTH;
    /** The server may read it otherwise than it was meant, so that nothing may follow it on its connection. */
    boolean last;

    /** One line of the head, however wrong. */
    record Header(String name, String value) {}

    /** How the message marks the end of its body (RFC 9112, section 6). */
    enum Framing {
        LENGTH,
        CHUNKED,
        /** The headers say what they say. */
        AS_IT_IS
    }

    Draft(Route route, String target) {
        this.route = route;
        this.method = route.method();
        this.target = target;
    }

    void set(String name, String value) {
        headers.removeIf(header -> header.name().equalsIgnoreCase(name));
        headers.add(new Header(name, value));
    }

    void add(String name, String value) {
        headers.add(new Header(name, value));
    }

    /** Requests that the connection ends after the response. */
    void isLast() {
        last = true;
    }

    byte[] bytes() {
        var text = new StringBuilder(method)
                .append(' ')
                .append(target)
                .append(version.isEmpty() ? "" : " ")
                .append(version)
                .append(lineEnd);
        headers.forEach(header ->
                text.append(header.name()).append(": ").append(header.value()).append(lineEnd));
        if (framing == Framing.CHUNKED) {
            text.append("Transfer-Encoding: chunked").append(lineEnd);
        } else if (framing == Framing.LENGTH
                && (body.length > 0 || !route.bodies().isEmpty())) {
            text.append("Content-Length: ").append(body.length).append(lineEnd);
        }
        text.append(lineEnd);
        var out = new ByteArrayOutputStream();
        out.writeBytes(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        if (framing == Framing.CHUNKED) {
            chunks(out);
        } else {
            out.writeBytes(body);
        }
        return out.toByteArray();
    }

    private void chunks(ByteArrayOutputStream out) {
        int half = body.length / 2;
        for (int[] part : new int[][] {{0, half}, {half, body.length}}) {
            if (part[1] > part[0]) {
                out.writeBytes((Integer.toHexString(part[1] - part[0]) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                out.write(body, part[0], part[1] - part[0]);
                out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        String text = new String(bytes(), StandardCharsets.ISO_8859_1);
        return route + ", sent as\n"
                + (text.length() > SHOWN ? text.substring(0, SHOWN) + "… (" + text.length() + " bytes)" : text);
    }
}
