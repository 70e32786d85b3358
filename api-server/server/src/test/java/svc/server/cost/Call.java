package svc.server.cost;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request that its route accepts, of which each part can be made longer.
 *
 * @param route as a table of routes has it, for names of tests
 * @param path of this request, encoded
 * @param query without the question mark
 * @param headers one a line, without the end of the line
 * @param body a character for each byte; empty for none
 */
record Call(String route, String host, String path, String query, List<String> headers, String body) {
    static Call of(String method, String host, String path) {
        int mark = path.indexOf('?');
        return new Call(
                method + " " + (mark < 0 ? path : path.substring(0, mark)),
                host,
                mark < 0 ? path : path.substring(0, mark),
                mark < 0 ? "" : path.substring(mark + 1),
                List.of(),
                "");
    }

    String method() {
        return route.substring(0, route.indexOf(' '));
    }

    Call of(String otherRoute) {
        return new Call(otherRoute, host, path, query, headers, body);
    }

    Call withPath(String other) {
        return new Call(route, host, other, query, headers, body);
    }

    Call withQuery(String other) {
        return new Call(route, host, path, other, headers, body);
    }

    Call with(String header) {
        List<String> all = new ArrayList<>(headers);
        all.add(header);
        return new Call(route, host, path, query, all, body);
    }

    /** @param text sent as UTF-8 */
    Call withBody(String text) {
        return new Call(
                route,
                host,
                path,
                query,
                headers,
                new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    }

    /** The body. */
    String text() {
        return new String(body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    boolean sendsJson() {
        return (body.startsWith("{") || body.startsWith("["))
                && headers.stream().noneMatch(header -> header.regionMatches(true, 0, "content-type:", 0, 13));
    }

    byte[] bytes() {
        var text = new StringBuilder(body.length() + 1_000);
        text.append(method()).append(' ').append(path);
        if (!query.isEmpty()) {
            text.append('?').append(query);
        }
        text.append(" HTTP/1.1\r\nHost: ").append(host).append("\r\n");
        headers.forEach(header -> text.append(header).append("\r\n"));
        if (!body.isEmpty()) {
            if (sendsJson()) {
                text.append("Content-Type: application/json\r\n");
            }
            text.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        text.append("\r\n").append(body);
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
