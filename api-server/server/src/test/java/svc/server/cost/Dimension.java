package svc.server.cost;

import static svc.server.cost.Shape.COMBINING_MARKS;
import static svc.server.cost.Shape.LETTERS;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * One way in which a call can be made longer.
 *
 * @param name as in the name of a test
 * @param size of the larger input, in bytes
 * @param call of about so many bytes
 */
record Dimension(String name, int size, IntFunction<Call> call) {
    /** Below the limits of a head: 64 KiB. */
    static final int HEAD_BYTES = 48_000;

    private static final String[] HEADERS = {
        "Accept",
        "Accept-Encoding",
        "Accept-Profile",
        "Access-Control-Request-Headers",
        "apikey",
        "Authorization",
        "Cache-Control",
        "Content-Disposition",
        "Content-Profile",
        "Content-Type",
        "Cookie",
        "Idempotency-Key",
        "If-Modified-Since",
        "If-None-Match",
        "Origin",
        "Prefer",
        "Range",
        "traceparent",
        "Upload-Concat",
        "Upload-Metadata",
        "x-amz-content-sha256",
        "x-amz-copy-source",
        "x-amz-meta-a",
        "x-client-info",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "x-metadata",
        "x-request-id",
        "x-signature"
    };

    byte[] bytes(int size) {
        return call.apply(size).bytes();
    }

    /** The path and the query of a call. */
    static Stream<Dimension> ofTarget(Call call) {
        List<Dimension> all = new ArrayList<>();
        for (Shape shape : List.of(LETTERS, COMBINING_MARKS, Shape.COMMAS)) {
            all.add(head("path of " + shape, n -> call.withPath(call.path() + shape.encoded(n))));
        }
        all.add(head("path of segments", n -> call.withPath(call.path() + Shape.repeat("/a", n))));
        List<String> pairs =
                call.query().isEmpty() ? List.of() : List.of(call.query().split("&"));
        for (int i = 0; i < pairs.size(); i++) {
            int at = i;
            for (Shape shape : Shape.values()) {
                all.add(head("parameter " + pairs.get(i).replaceFirst("=.*", "") + " of " + shape, n -> {
                    List<String> changed = new ArrayList<>(pairs);
                    changed.set(at, pairs.get(at) + shape.encoded(n));
                    return call.withQuery(String.join("&", changed));
                }));
            }
            all.add(head(
                    "parameter " + pairs.get(i) + " repeated",
                    n -> call.withQuery(call.query() + Shape.repeat("&" + pairs.get(at), n))));
        }
        all.add(head("many parameters", n -> call.withQuery(call.query() + numbered("&p", "=eq.1", n))));
        all.add(head("many names without a value", n -> call.withQuery(call.query() + numbered("&p", "", n))));
        return all.stream();
    }

    /** Headers of any name, with a value in which every parser finds its separators. */
    static Stream<Dimension> ofHeaders(Call call, List<String> names) {
        return names.stream()
                .map(name ->
                        head("header " + name, n -> call.with(name + ": " + Shape.repeat("(a, b.c=\"d\\\"; ", n))));
    }

    /** Each known header, and many of them. */
    static Stream<Dimension> ofHeaders(Call call) {
        List<Dimension> all = new ArrayList<>();
        for (String header : HEADERS) {
            for (Shape shape : Shape.values()) {
                all.add(head(
                        "header " + header + " of " + shape,
                        n -> call.with(header + ": " + value(header) + shape.header(n) + "x")));
            }
            all.add(head("header " + header + " repeated", n -> {
                Call longer = call;
                for (int i = 0; i < n / (header.length() + 5); i++) {
                    longer = longer.with(header + ": a");
                }
                return longer;
            }));
        }
        all.add(head("many headers", n -> call.with("h: a" + numbered("\r\nh", ": a", n))));
        return all.stream();
    }

    private static String value(String header) {
        return switch (header) {
            case "Authorization" -> "Bearer ";
            case "Content-Type" -> "multipart/form-data; boundary=";
            case "Range" -> "bytes=";
            case "Upload-Concat" -> "final;";
            default -> "";
        };
    }

    static Dimension head(String name, IntFunction<Call> call) {
        return new Dimension(name, HEAD_BYTES, call);
    }

    /** Names that differ: {@code p1, p2, …}. */
    static String numbered(String before, String after, int bytes) {
        var text = new StringBuilder(bytes + 50);
        for (int i = 0; text.length() < bytes; i++) {
            text.append(before).append(i).append(after);
        }
        return text.toString();
    }
}
