package svc.functions;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which headers pass between caller and function. What belongs to one connection ends with it (RFC 9110 §7.6.1), what says
 * who asked is said by the gateway, and the project's key has done its work.
 */
final class CallHeaders {
    private static final Set<String> OF_ONE_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** Spoken by the gateway itself, whatever a caller says. */
    private static final Set<String> OURS_TO_SAY = Set.of(
            "forwarded", "x-real-ip", "x-request-id", "sb-request-id", "via", "host", "expect", "content-length");

    private static final String API_KEY = "apikey";

    /** An answer's words about the platform: a function is not to speak for it. */
    private static final Set<String> NOT_FOR_FUNCTIONS =
            Set.of("x-request-id", "sb-request-id", "x-relay-error", "sb-error-code", "content-length", "alt-svc");

    private CallHeaders() {}

    /** From a caller's request to the one that the process gets; length and upgrade are the caller's of this. */
    static void forward(HttpServerRequest from, MultiMap to, String requestId) {
        Set<String> named = namedByConnection(from.headers());
        for (Map.Entry<String, String> header : from.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!OF_ONE_CONNECTION.contains(name)
                    && !OURS_TO_SAY.contains(name)
                    && !named.contains(name)
                    && !name.equals(API_KEY)
                    && !name.startsWith("x-forwarded-")
                    && !name.startsWith("x-svc-")) {
                to.add(header.getKey(), header.getValue());
            }
        }
        to.set("host", from.authority().toString());
        to.set("x-request-id", requestId);
        to.set("x-forwarded-host", from.authority().toString());
        to.set("x-forwarded-proto", protocol(from));
        if (from.remoteAddress() != null && from.remoteAddress().hostAddress() != null) {
            to.set("x-forwarded-for", from.remoteAddress().hostAddress());
        }
    }

    /** From the process' answer to the caller's: CORS of the gateway stays where the function says nothing of its own. */
    static void back(MultiMap from, MultiMap to) {
        Set<String> named = namedByConnection(from);
        Set<String> replaced = new HashSet<>();
        for (Map.Entry<String, String> header : from) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (OF_ONE_CONNECTION.contains(name) || NOT_FOR_FUNCTIONS.contains(name) || named.contains(name)) {
                continue;
            }
            if (replaced.add(name)) {
                to.set(header.getKey(), header.getValue());
            } else {
                to.add(header.getKey(), header.getValue());
            }
        }
    }

    /** The query without the key, which links carry there. */
    static String query(String query) {
        if (!query.contains(API_KEY)) {
            return query;
        }
        StringBuilder rest = new StringBuilder();
        for (String part : query.split("&", -1)) {
            if (!part.equals(API_KEY) && !part.startsWith(API_KEY + "=")) {
                rest.append(rest.isEmpty() ? "" : "&").append(part);
            }
        }
        return rest.toString();
    }

    /** TLS ends at the ingress, which says so; nothing rests on it. */
    private static String protocol(HttpServerRequest from) {
        String said = from.getHeader("x-forwarded-proto");
        return "https".equals(said) || from.isSSL() ? "https" : "http";
    }

    private static Set<String> namedByConnection(MultiMap headers) {
        Set<String> named = new HashSet<>();
        for (String value : headers.getAll("connection")) {
            for (String name : value.split(",")) {
                named.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return named;
    }
}
